r"""A decision problem with known distributions: states, observations, actions, costs.

    P(x)        = sum_k P(x | w_k) P(w_k)
    P(w_k | x)  = P(x | w_k) P(w_k) / P(x)                    (Bayes)
    R(a_i | x)  = sum_k lambda_ik P(w_k | x)
    r*(x)       = argmin_i R(a_i | x)                         (Bayes rule)
    R(r)        = sum_x P(x) R(r(x) | x),   R(r*) the least   (Bayes risk)

Reference: Duda, Hart and Stork, Pattern Classification, 2001, sections 2.2 and 2.9.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.decision.risk import (
    Actions,
    check_costs,
    check_probabilities,
    check_reject,
    conditional_risk,
    least_risk,
)
from gramian.textbook.decisions.discriminants import Form, discriminants
from gramian.textbook.decisions.likelihood_ratio import likelihood_ratio_threshold


@dataclass(frozen=True, eq=False)
class DecisionProblem:
    """A decision problem with known states, observations, actions and costs.

    Parameters
    ----------
    priors
        Probability of each state, shape (states,).
    likelihoods
        ``likelihoods[k, x]`` is the probability of observation x in state k, shape (states,
        observations).
    costs
        ``costs[i, k]`` is the cost of action i in state k, shape (actions, states). None means 1
        for a wrong state and 0 for the correct one.
    reject
        Cost of rejection (taking no action); None never rejects.
    states, observations, actions
        Names; None numbers them from 0, and gives the actions the names of the states if there are
        as many.

    Examples
    --------
    A disease with prevalence 0.1, predicted from occupations; a missed case costs 5, a false alarm
    1.

    >>> problem = DecisionProblem(
    ...     priors=[0.1, 0.9],
    ...     likelihoods=[[0.2, 0.5, 0.3], [0.01, 0.1, 0.89]],
    ...     costs=[[0, 1], [5, 0]],
    ...     states=["ill", "well"],
    ...     observations=["miner", "farmer", "other"],
    ... )
    >>> problem.rule()
    {'miner': 'ill', 'farmer': 'ill', 'other': 'well'}
    >>> round(problem.bayes_risk(), 3)
    0.249
    """

    priors: ArrayLike
    likelihoods: ArrayLike
    costs: ArrayLike | None = None
    reject: float | None = None
    states: Sequence[Hashable] | None = None
    observations: Sequence[Hashable] | None = None
    actions: Sequence[Hashable] | None = None
    _prior: Floats = field(init=False, repr=False)
    _likelihood: Floats = field(init=False, repr=False)
    _cost: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        owner = "DecisionProblem"
        prior = check_probabilities(owner, np.atleast_2d(self.priors), name="priors")[0]
        likelihood = check_probabilities(owner, self.likelihoods, name="likelihoods")
        if len(likelihood) != len(prior):
            raise DataError(
                f"{owner}: likelihoods must have a row for each of the {len(prior)} states of "
                f"priors; got shape {likelihood.shape}."
            )
        costs = 1.0 - np.eye(len(prior)) if self.costs is None else self.costs
        cost = check_costs(owner, costs, len(prior))
        if self.reject is not None:
            check_reject(owner, self.reject)
        names = {
            "states": (self.states, len(prior)),
            "observations": (self.observations, likelihood.shape[1]),
            "actions": (self.actions, len(cost)),
        }
        for name, (labels, count) in names.items():
            if labels is not None and (len(labels) != count or len(set(labels)) != count):
                raise ParameterError(
                    f"{owner}: {name} must be {count} different names; got {list(labels)!r}."
                )
        set_field = object.__setattr__  # the class is frozen
        set_field(self, "_prior", prior)
        set_field(self, "_likelihood", likelihood)
        set_field(self, "_cost", cost)

    def evidence(self) -> Floats:
        """Return P(x) for every observation, shape (observations,)."""
        return self._prior @ self._likelihood

    def posteriors(self) -> Floats:
        """Return P(state | x), one row per observation; the priors if P(x) = 0."""
        return _normalised((self._prior[:, None] * self._likelihood).T, self._prior)

    def conditional_risks(self) -> Floats:
        """Return R(action | x), shape (observations, actions)."""
        return conditional_risk(self.posteriors(), self._cost)

    def discriminants(self, form: Form = "risk") -> Floats:
        """Return g_i(x), one row per observation; the largest belongs to the best action.

        Parameters
        ----------
        form
            "risk": -R(action i | x). For equal costs also "posterior": P(state i | x), "joint": P(x
            | state i) P(state i), "log": its logarithm.
        """
        if form != "risk" and self.costs is not None:
            raise ParameterError(
                f"DecisionProblem: the form {form!r} cannot be used with costs; use form='risk'."
            )
        costs = self._cost if form == "risk" else None
        return discriminants(self._likelihood.T, self._prior, costs=costs, form=form)

    def discriminant_difference(self, form: Form = "risk") -> Floats:
        """Return g_1(x) - g_2(x) of two actions for every observation; its sign decides.

        Parameters
        ----------
        form
            As for `discriminants`.
        """
        g = self.discriminants(form)
        if g.shape[1] != 2:
            raise DataError(
                f"DecisionProblem: a difference needs two actions; there are {g.shape[1]}. Use "
                "discriminants."
            )
        with np.errstate(invalid="ignore"):  # impossible in both states: inf - inf, NaN
            return np.asarray(g[:, 0] - g[:, 1])

    def best_actions(self) -> Actions:
        """Return the index of the best action for every observation, -1 for rejection."""
        return least_risk(self.conditional_risks(), self.reject)

    def rule(self) -> dict[Any, Any]:
        """Return the Bayes rule as a dict from observation to action, None for rejection."""
        actions = [*self._action_names(), None]
        return dict(
            zip(self._observation_names(), (actions[i] for i in self.best_actions()), strict=True)
        )

    def bayes_risk(self) -> float:
        """Return the risk of the Bayes rule, the smallest of all rules."""
        return self.risk(self.rule())

    def risk(self, rule: Mapping[Any, Any] | Callable[[Any], Any]) -> float:
        """Return the expected cost of any rule.

        Parameters
        ----------
        rule
            A dict or a function from the name of an observation to the name of an action, None for
            rejection.
        """
        actions = self._action_names()
        risks, total = self.conditional_risks(), 0.0
        for probability, row, x in zip(
            self.evidence(), risks, self._observation_names(), strict=True
        ):
            if isinstance(rule, Mapping) and x not in rule:
                raise DataError(f"DecisionProblem: the rule has no action for {x!r}; add it.")
            action = rule[x] if isinstance(rule, Mapping) else rule(x)
            if action is None and self.reject is not None:
                total += probability * self.reject
            elif action in actions:
                total += probability * row[actions.index(action)]
            else:
                raise DataError(
                    f"DecisionProblem: the rule chooses {action!r} for {x!r}; "
                    f"the actions are {actions!r}."
                )
        return float(total)

    def posterior(self, *observed: Hashable) -> Floats:
        """Return P(state | observations) for conditionally independent observations.

        Parameters
        ----------
        observed
            Names of one or more observations.
        """
        columns = [self._column(x) for x in observed]
        logs = self._log(self._prior) + self._log(self._likelihood[:, columns]).sum(axis=1)
        if np.isneginf(logs.max()):
            raise DataError(
                f"DecisionProblem: {list(observed)!r} together are impossible in every state."
            )
        weights = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    def decide(self, *observed: Hashable) -> Any:
        """Return the name of the best action after one or more observations, None for rejection.

        Parameters
        ----------
        observed
            Names of one or more observations.
        """
        risk = conditional_risk(self.posterior(*observed)[None], self._cost)
        return [*self._action_names(), None][int(least_risk(risk, self.reject)[0])]

    def log_likelihood_ratio(self, *observed: Hashable) -> float:
        """Return the sum of log P(x | first state) - log P(x | second state) of two states.

        Parameters
        ----------
        observed
            Names of one or more observations.
        """
        if len(self._prior) != 2:
            raise DataError(
                "DecisionProblem: a likelihood ratio needs two states; there are "
                f"{len(self._prior)}. Use posterior or decide."
            )
        first, second = self._log(self._likelihood[:, [self._column(x) for x in observed]])
        with np.errstate(invalid="ignore"):  # impossible in both states: inf - inf, NaN
            return float(first.sum() - second.sum())

    def likelihood_ratio_threshold(self) -> float:
        """Return the likelihood ratio above which the first of two actions is better."""
        return likelihood_ratio_threshold(self._prior, self._cost)

    @staticmethod
    def _log(values: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.log(values)

    def _column(self, observed: Hashable) -> int:
        names = self._observation_names()
        if observed not in names:
            raise DataError(
                f"DecisionProblem: an observation must be one of {names!r}; got {observed!r}."
            )
        return names.index(observed)

    def _observation_names(self) -> list[Any]:
        names = self.observations
        return list(range(self._likelihood.shape[1]) if names is None else names)

    def _action_names(self) -> list[Any]:
        if self.actions is not None:
            return list(self.actions)
        same_as_states = len(self._cost) == len(self._prior)
        if self.states is not None and same_as_states:
            return list(self.states)
        return list(range(len(self._cost)))


def _normalised(joint: Floats, prior: Floats) -> Floats:
    total: Floats = joint.sum(axis=1, keepdims=True)
    return np.where(total > 0, joint / np.where(total > 0, total, 1.0), prior)
