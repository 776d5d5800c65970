"""Decisions with costs in a study: the decision rule, its metric and the resulting model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramian.base.errors import ParameterError
from gramian.data.formats.booleans import read_boolean
from gramian.data.formats.numbers import number_format, number_reader
from gramian.decision.bayes_decision import BayesDecision
from gramian.decision.risk import REJECT, conditional_risk, least_risk
from gramian.study.problem.metrics import Metric, Predicted
from gramian.study.problem.problem import LearningProblem
from gramian.study.settings import Settings


@dataclass(frozen=True, eq=False)
class DecisionRule:
    """A rule that turns probabilities into decisions.

    Attributes
    ----------
    costs
        ``costs[i, k]`` is the cost of predicting class i when the true class is k.
    reject
        Cost of rejecting a row (making no decision), or None if that is not allowed.
    """

    costs: NDArray[np.float64]
    reject: float | None

    def classes(self, proba: NDArray[Any]) -> NDArray[np.intp]:
        """Return the class with the smallest expected cost for each row, without rejecting."""
        return least_risk(conditional_risk(proba, self.costs), None).astype(np.intp)

    def decisions(self, proba: NDArray[Any]) -> NDArray[np.intp]:
        """Return the class with the smallest expected cost, or -1 if rejecting costs less."""
        return least_risk(conditional_risk(proba, self.costs), self.reject).astype(np.intp)

    def rejected(self, predicted: Predicted) -> NDArray[np.bool_] | None:
        """Return which rows are rejected; None if rejecting is not allowed."""
        if self.reject is None or predicted.proba is None:
            return None
        return np.asarray(self.decisions(predicted.proba) == REJECT)


def decision_rule(problem: LearningProblem, settings: Settings) -> DecisionRule | None:
    """Return the decision rule of the settings; None if decisions have no costs."""
    if settings.costs is None and settings.reject is None:
        return None
    if problem.task != "classification":
        raise ParameterError("costs and reject need a classification task; the target is numeric.")
    return DecisionRule(_table(problem, settings), settings.reject)


def cost_metric(rule: DecisionRule | None) -> tuple[Metric, ...]:
    """Return the mean cost of a rule's decisions as a metric, if there is a rule."""
    if rule is None:
        return ()

    def mean_cost(y: NDArray[Any], predicted: Predicted, weights: NDArray[Any] | None) -> float:
        chosen = rule.decisions(predicted.proba)  # type: ignore[arg-type]
        paid = rule.costs[chosen, y]
        if rule.reject is not None:
            paid = np.where(chosen == REJECT, rule.reject, paid)
        return float(np.average(paid, weights=weights))

    return (Metric("cost", "mean cost per decision", "neg_mean_cost", False, True, mean_cost),)


def with_costs(pipeline: Any, problem: LearningProblem, settings: Settings) -> Any:
    """Make a fitted pipeline minimise the expected cost; without costs, return it unchanged."""
    if settings.costs is None and settings.reject is None:
        return pipeline
    numbers = problem.classes.dtype.kind in "iuf"
    return BayesDecision(
        pipeline,
        costs=None if settings.costs is None else _table(problem, settings),
        reject=settings.reject,
        reject_label=-1 if numbers else "reject",
    )


def costs_in_order(
    costs: Any, names: Sequence[str] | None, classes: NDArray[Any]
) -> tuple[tuple[float, ...], ...]:
    """Return a table of costs in the order of the classes.

    Parameters
    ----------
    costs
        ``costs[i][k]`` is the cost of predicting class ``names[i]`` when the truth is
        ``names[k]``.
    names
        The classes, in the order of the table; None uses the order of `classes`.
    classes
        The classes of the target, sorted.

    Examples
    --------
    >>> costs_in_order(((0, 1), (5, 0)), ("yes", "no"), np.array(["no", "yes"]))
    ((0.0, 5.0), (1.0, 0.0))
    """
    labels = [_plain(str(c)) for c in classes.tolist()]
    table = np.array(costs, dtype=np.float64)
    K = len(labels)
    if table.shape != (K, K) or not np.isfinite(table).all():
        raise ParameterError(
            f"costs must be a table of {K} x {K} numbers, one row per decision and one column "
            f"per true class ({', '.join(labels)}); got shape {table.shape}."
        )
    if names is not None:
        found = [class_index(name, classes) for name in names]
        if sorted(found, key=str) != sorted(range(K), key=str):
            raise ParameterError(
                f"costs must name the classes {', '.join(labels)}; got {', '.join(names)}."
            )
        places = [found.index(k) for k in range(K)]
        table = table[np.ix_(places, places)]
    return tuple(tuple(row) for row in table.tolist())


def class_index(name: str, classes: NDArray[Any]) -> int | None:
    """Return the index of a class by its name in the table or the model; None if absent.

    Examples
    --------
    >>> class_index("10%", np.array([0.1, 0.25])), class_index("YES", np.array(["No", "Yes"]))
    (0, 1)
    """
    labels = classes.tolist()
    written = [_plain(str(label)) for label in labels]
    if _plain(name.strip()) in written:
        return written.index(_plain(name.strip()))
    number = _value(name)
    if number is not None:
        same = [k for k, label in enumerate(labels) if _value(str(label)) == number]
        return same[0] if len(same) == 1 else None
    alike = [k for k, label in enumerate(written) if _is_same_word(name.strip(), label)]
    return alike[0] if len(alike) == 1 else None


def _value(text: str) -> float | None:
    """Parse a number, such as 0.1 from 10%; None if the text is not a number."""
    form = number_format(Counter([text]))
    return None if form is None else number_reader(form)(text)


def _is_same_word(one: str, other: str) -> bool:
    """Return whether two words are equal up to case, or the same boolean, such as Yes and y."""
    first, second = one.lower(), other.lower()
    both = read_boolean(first) is not None and read_boolean(first) is read_boolean(second)
    return first == second or (both and first[0] == second[0])


def _plain(label: str) -> str:
    """Write 1.0 as 1, so that labels of a file and of a column of numbers agree."""
    return label.removesuffix(".0")


def _table(problem: LearningProblem, settings: Settings) -> NDArray[np.float64]:
    K = len(problem.classes)
    if settings.costs is None:
        return 1.0 - np.eye(K)
    return np.array(costs_in_order(settings.costs, settings.cost_classes, problem.classes))
