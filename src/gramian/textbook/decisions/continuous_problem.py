r"""A decision problem whose observations are numbers or vectors with known densities.

    P(w_k | x) = p(x | w_k) P(w_k) / p(x)
    R(a_i | x) = sum_k lambda_ik P(w_k | x),    r*(x) = argmin_i R(a_i | x)
    R(r)       = int R(r(x) | x) p(x) dx,       R(r*) = int min_i sum_k lambda_ik p(x, w_k) dx

With equal costs R(r*) is the Bayes error: the area under all but the largest of the densities
scaled by their priors. Reference: Duda, Hart and Stork, Pattern Classification, 2001, 2.2 and 2.8.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.decision.risk import REJECT, Actions, check_costs, check_probabilities, check_reject
from gramian.textbook.decisions.level_set import level_set
from gramian.textbook.decisions.risk_integrals import (
    RiskEstimate,
    by_sampling,
    find_cells,
    over_cells,
    over_plane,
    over_support,
    scan_points,
    within_costs,
)
from gramian.textbook.estimation.known_density import KnownDensity

Method = Literal["auto", "quadrature", "sampling"]
_TOLERANCE = 1e-3  # largest error of quadrature relative to the costs; otherwise sampling is used


class Boundaries(NamedTuple):
    """Points on a line where the best action changes."""

    points: Floats  # increasing
    actions: list[Any]  # the best action below, between and above the points; None is rejection


@dataclass(frozen=True, eq=False)
class ContinuousDecisionProblem:
    """A decision problem with known priors, class-conditional densities, actions and costs.

    Parameters
    ----------
    priors
        Probability of each state, shape (states,).
    densities
        The distribution of the observation in each state: from `gramian.distributions`, or a
        frozen SciPy distribution, all of the same dimension.
    costs
        ``costs[i, k]`` is the cost of action i in state k, shape (actions, states). None means 1
        for a wrong state and 0 for the correct one.
    reject
        Cost of rejection (taking no action); None never rejects.
    states, actions
        Names; None numbers them from 0. Actions are named after the states if there are as many.

    Examples
    --------
    Two unit normals at 0 and 2: the boundary is halfway, and 15.9% of decisions are wrong.

    >>> from gramian.textbook.decisions import ContinuousDecisionProblem
    >>> from gramian.distributions import Gaussian
    >>> problem = ContinuousDecisionProblem([0.5, 0.5], [Gaussian(0.0, 1.0), Gaussian(2.0, 1.0)])
    >>> problem.boundaries().points, round(problem.bayes_risk().value, 6)
    (array([1.]), 0.158655)
    """

    priors: ArrayLike
    densities: Sequence[Any]
    costs: ArrayLike | None = None
    reject: float | None = None
    states: Sequence[Hashable] | None = None
    actions: Sequence[Hashable] | None = None
    _prior: Floats = field(init=False, repr=False)
    _known: tuple[KnownDensity, ...] = field(init=False, repr=False)
    _cost: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        owner = "ContinuousDecisionProblem"
        prior = check_probabilities(owner, np.atleast_2d(self.priors), name="priors")[0]
        known = tuple(KnownDensity.of(owner, density) for density in self.densities)
        if len(known) != len(prior):
            raise DataError(
                f"{owner}: there must be a density for each of the {len(prior)} states of priors; "
                f"got {len(known)}."
            )
        if len({(density.dimension, density.discrete) for density in known}) != 1:
            raise DataError(
                f"{owner}: densities must have the same dimension and be all discrete or all "
                f"continuous; got dimensions {[density.dimension for density in known]}."
            )
        cost = check_costs(
            owner, 1.0 - np.eye(len(prior)) if self.costs is None else self.costs, len(prior)
        )
        if self.reject is not None:  # the last row, so that its index may be -1
            cost = np.vstack([cost, np.full(len(prior), check_reject(owner, self.reject))])
        named = len(cost) - (self.reject is not None)
        for name, labels, count in (
            ("states", self.states, len(prior)),
            ("actions", self.actions, named),
        ):
            if labels is not None and (len(labels) != count or len(set(labels)) != count):
                raise ParameterError(
                    f"{owner}: {name} must be {count} different names; got {list(labels)!r}."
                )
        set_field = object.__setattr__  # the class is frozen
        set_field(self, "_prior", prior)
        set_field(self, "_known", known)
        set_field(self, "_cost", cost)

    @property
    def dimension(self) -> int:
        """Number of coordinates of an observation."""
        return self._known[0].dimension

    @property
    def state_names(self) -> list[Any]:
        """Names of the states."""
        return list(range(len(self._prior)) if self.states is None else self.states)

    @property
    def action_names(self) -> list[Any]:
        """Names of the actions, without rejection."""
        if self.actions is not None:
            return list(self.actions)
        count = len(self._cost) - (self.reject is not None)
        return self.state_names if count == len(self._prior) else list(range(count))

    def log_joint(self, x: ArrayLike) -> Floats:
        """Return log p(x | state) + log P(state), shape (n, states).

        Parameters
        ----------
        x
            Observations, shape (n,), or (n, d) for vectors.
        """
        rows = self._rows(x)
        with np.errstate(divide="ignore"):
            logs = [np.asarray(density.log_density(rows)) for density in self._known]
            return np.column_stack(logs) + np.log(self._prior)

    def posteriors(self, x: ArrayLike) -> Floats:
        """Return P(state | x), shape (n, states); the priors where every density is 0.

        Parameters
        ----------
        x
            Observations, shape (n,), or (n, d) for vectors.
        """
        joint = self.log_joint(x)
        total = logsumexp(joint, axis=1, keepdims=True)
        possible = np.isfinite(total)
        found = np.exp(joint - np.where(possible, total, 0.0))
        return np.where(possible, found, self._prior)

    def conditional_risks(self, x: ArrayLike) -> Floats:
        """Return R(action | x), shape (n, actions), and a last column for rejection if allowed.

        Parameters
        ----------
        x
            Observations, shape (n,), or (n, d) for vectors.
        """
        return self.posteriors(x) @ self._cost.T

    def best_actions(self, x: ArrayLike) -> Actions:
        """Return the index of the best action for every observation, -1 for rejection.

        Parameters
        ----------
        x
            Observations, shape (n,), or (n, d) for vectors.
        """
        best: Actions = self.conditional_risks(x).argmin(axis=1)
        return best if self.reject is None else np.where(best == len(self._cost) - 1, REJECT, best)

    def decide(self, x: ArrayLike) -> list[Any]:
        """Return the name of the best action for every observation, None for rejection.

        Parameters
        ----------
        x
            Observations, shape (n,), or (n, d) for vectors.
        """
        names = [*self.action_names, None]
        return [names[i] for i in self.best_actions(x)]

    def bayes_risk(
        self, *, method: Method = "auto", n_samples: int = 100_000, random_state: object = None
    ) -> RiskEstimate:
        """Return the risk of the Bayes rule, the smallest of all rules.

        Parameters
        ----------
        method, n_samples, random_state
            As for `risk`.

        Returns
        -------
        RiskEstimate
        """
        return self._risk(self.best_actions, method, n_samples, random_state)

    def risk(
        self,
        rule: Any,
        *,
        method: Method = "auto",
        n_samples: int = 100_000,
        random_state: object = None,
    ) -> RiskEstimate:
        """Return the expected cost of any rule.

        For discrete observations the risk is a sum. In one dimension the intervals of the rule are
        found to full precision and measured by the distribution functions (an interval between two
        neighbouring points of a dense grid is missed). Two dimensions use quadrature, more
        dimensions sampling with a 95% interval. Sampling is also used if quadrature misses some of
        the probability, as for narrow densities far apart, or if its error exceeds a thousandth of
        the costs.

        Parameters
        ----------
        rule
            A function of an array of observations that returns the names of actions (None for
            rejection), or a fitted classifier, whose `predict` does.
        method
            "auto", as above; "sampling"; or "quadrature", in two dimensions, regardless of its
            error.
        n_samples
            Size of the sample.
        random_state
            Seed or generator for the random draws.

        Returns
        -------
        RiskEstimate
            The value, its error and interval, and the method.
        """
        predict = getattr(rule, "predict", None)
        if predict is None and not callable(rule):
            raise ParameterError(
                "ContinuousDecisionProblem.risk: rule must be a function or a classifier; got "
                f"{rule!r}."
            )

        def chosen(x: npt.ArrayLike) -> Actions:
            rows = np.asarray(x, dtype=np.float64)
            if predict is None:
                return self._indices(rule(rows), len(rows))
            return self._indices(predict(rows.reshape(len(rows), -1)), len(rows))

        return self._risk(chosen, method, n_samples, random_state)

    def boundaries(self, limits: tuple[float, float] | None = None) -> Boundaries:
        """Return the points where the best action changes, and the actions between them.

        Parameters
        ----------
        limits
            The interval to search; None searches a wide interval around all densities.

        Returns
        -------
        Boundaries
        """
        if self.dimension != 1:
            raise DataError(
                f"ContinuousDecisionProblem.boundaries: observations have {self.dimension} "
                "coordinates; use boundary_contours in two."
            )
        points = scan_points(self._known)
        if limits is not None:
            low, high = limits
            points = np.union1d(
                points[(points > low) & (points < high)], np.linspace(low, high, 2001)
            )
        cells = find_cells(self.best_actions, points)
        names = [*self.action_names, None]
        return Boundaries(cells.edges[1:-1], [names[i] for i in cells.actions])

    def boundary_contours(
        self, box: Sequence[Sequence[float]], *, resolution: int = 200
    ) -> dict[Any, list[Floats]]:
        """Return the boundary of each action's region in the plane, as curves.

        Parameters
        ----------
        box
            ((low, high), (low, high)).
        resolution
            Points per axis of the grid on which the curves are interpolated.

        Returns
        -------
        dict from action (None: rejection) to a list of arrays (m, 2)
            A curve between two regions belongs to both.
        """
        if self.dimension != 2:
            raise DataError(
                "ContinuousDecisionProblem.boundary_contours: observations must have two "
                f"coordinates; got {self.dimension}."
            )

        def log_gap(i: int) -> Any:
            def margin(x: Floats) -> Floats:
                risks = self.conditional_risks(x)
                others: Floats = np.delete(risks, i, axis=1).min(axis=1)
                return np.asarray(others - risks[:, i])

            return margin

        names = [*self.action_names, *([None] if self.reject is not None else [])]
        found = {
            name: level_set(log_gap(i), box, resolution=resolution) for i, name in enumerate(names)
        }
        return {name: curves for name, curves in found.items() if curves}

    def _risk(
        self, rule: Any, method: Method, n_samples: int, random_state: object
    ) -> RiskEstimate:
        if method not in ("auto", "quadrature", "sampling"):
            raise ParameterError(
                "ContinuousDecisionProblem.risk: method must be 'auto', 'quadrature' or "
                f"'sampling'; got {method!r}."
            )
        costs = self._cost * self._prior
        uniform = self.dimension == 2 and not self._known[0].discrete and self._has_deviations()
        if method == "quadrature" and not uniform:
            raise ParameterError(
                "ContinuousDecisionProblem.risk: quadrature needs two dimensions and finite "
                "variances; use method='auto'."
            )
        if self.dimension == 1 and method == "auto":
            if self._known[0].discrete:
                return over_support(rule, self._known, costs)
            cells = find_cells(rule, scan_points(self._known))
            return within_costs(over_cells(cells, self._known, costs), costs)
        if uniform and method != "sampling":
            found = over_plane(rule, self._known, costs)
            most = _TOLERANCE * float(np.abs(costs).max(axis=0).sum())
            if method == "quadrature" or found.error <= most:
                return within_costs(found, costs)
        if not (isinstance(n_samples, int | np.integer) and n_samples >= 2):
            raise ParameterError(
                "ContinuousDecisionProblem.risk: n_samples must be an integer >= 2; got "
                f"{n_samples!r}."
            )

        def risk_at(x: npt.ArrayLike) -> Floats:
            risks = self.conditional_risks(x)
            return np.asarray(risks[np.arange(len(risks)), rule(x)])

        rng = stream(seed_of(random_state))
        drawn = by_sampling(risk_at, self._known, self._prior, int(n_samples), rng)
        return within_costs(drawn, costs)

    def _has_deviations(self) -> bool:
        return all(np.isfinite(density.deviation).all() for density in self._known)

    def _indices(self, names: Any, n: int) -> Actions:
        """Return the index of each named action."""
        action_labels = np.asarray(names, dtype=object)
        if action_labels.shape != (n,):
            raise DataError(
                f"ContinuousDecisionProblem.risk: the rule must return one action for each of {n} "
                f"observations; got shape {action_labels.shape}."
            )
        place = {name: i for i, name in enumerate(self.action_names)}
        if self.reject is not None:
            place[None] = REJECT
        found = [place.get(name, len(self._cost)) for name in action_labels.tolist()]
        indices = np.array(found, dtype=np.intp)
        unknown = indices == len(self._cost)
        if unknown.any():
            raise DataError(
                f"ContinuousDecisionProblem.risk: the rule returned {action_labels[unknown][0]!r}; "
                f"the actions are {list(place)!r}."
            )
        return indices

    def _rows(self, x: ArrayLike) -> Floats:
        rows, d = np.asarray(x, dtype=np.float64), self.dimension
        if d == 1 and rows.ndim == 2:
            return rows.reshape(-1)
        if rows.shape[1:] != (() if d == 1 else (d,)) or rows.ndim == 0:
            raise DataError(
                "ContinuousDecisionProblem: observations must have shape "
                f"{'(n,)' if d == 1 else f'(n, {d})'}; got {rows.shape}."
            )
        return rows
