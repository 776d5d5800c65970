"""Decisions with costs inside a study: the metric they bring and the model they make."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramian.base.errors import ParameterError
from gramian.bayes.decision import BayesDecision
from gramian.bayes.risk import conditional_risk, least_risk
from gramian.study.metrics import Metric, Predicted
from gramian.study.problem import Problem
from gramian.study.settings import Settings


def cost_metric(problem: Problem, settings: Settings) -> tuple[Metric, ...]:
    """Return the mean cost of the best decisions as a metric, if costs or a refusal were given."""
    if settings.costs is None and settings.reject is None:
        return ()
    if problem.task != "classification":
        raise ParameterError("--costs and --reject are for classification; the target is a number.")
    table = _table(problem, settings)

    def mean_cost(y: NDArray[Any], said: Predicted, weights: NDArray[Any] | None) -> float:
        chosen = decide(said, table, settings.reject)
        paid = table[chosen, y]
        if settings.reject is not None:
            paid = np.where(chosen < 0, settings.reject, paid)
        return float(np.average(paid, weights=weights))

    return (Metric("cost", "mean cost of the decisions", "neg_mean_cost", False, True, mean_cost),)


def decide(said: Predicted, table: NDArray[Any], reject: float | None) -> NDArray[Any]:
    """Return the action of least expected cost for each row, -1 where refusing costs less."""
    return least_risk(conditional_risk(said.proba, table), reject)  # type: ignore[arg-type]


def with_costs(pipeline: Any, problem: Problem, settings: Settings) -> Any:
    """Wrap a fitted pipeline so that it decides by the costs; without costs it stays as it is."""
    if settings.costs is None and settings.reject is None:
        return pipeline
    numbers = problem.classes.dtype.kind in "iuf"
    return BayesDecision(
        pipeline,
        costs=None if settings.costs is None else _table(problem, settings),
        reject=settings.reject,
        reject_label=-1 if numbers else "reject",
    )


def _table(problem: Problem, settings: Settings) -> NDArray[np.float64]:
    K = len(problem.classes)
    if settings.costs is None:
        return 1.0 - np.eye(K)
    table = np.array(settings.costs, dtype=np.float64)
    if table.shape != (K, K) or not np.isfinite(table).all():
        raise ParameterError(
            f"--costs must be a table of {K} x {K} numbers, a row for each decision and a column "
            f"for each true class ({', '.join(map(str, problem.classes.tolist()))}); got shape "
            f"{table.shape}."
        )
    return table
