"""Scores of the refitted best model on the test rows, with intervals."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gramian.base.randomness import stream
from gramian.evaluate.curves.delong import auc_interval
from gramian.evaluate.intervals.proportion import wilson_interval
from gramian.study.contents.held_out import HeldOutResult, HeldOutScore
from gramian.study.contents.values import defined
from gramian.study.findings.curves import confusion_counts
from gramian.study.problem.duplicates import duplicates_across
from gramian.study.problem.metrics import Metric, Predicted
from gramian.study.problem.splits import Splits
from gramian.study.search.trial import BASELINE, Candidate, Workbench
from gramian.study.settings import Settings

_RESAMPLES = 500  # fewer for many rows, where intervals are short and resampling slow
_FEWER, _MANY_ROWS = 200, 2000
_STREAM = 3


def describe_test(
    bench: Workbench,
    splits: Splits,
    settings: Settings,
    candidate: Candidate,
    predicted: Predicted,
    duplicates: NDArray[np.bool_],
) -> HeldOutResult:
    """Return scores and counts of the test rows, also without duplicates."""
    problem, rows = bench.problem, splits.test
    y = problem.y[rows]
    weights = None if problem.weights is None else problem.weights[rows]
    alpha, seed = settings.alpha, settings.seed
    without_duplicates = confusion = rejected_counts = None
    if 0 < duplicates.sum() < len(rows) - 1:
        kept = ~duplicates
        without_duplicates = held_out_scores(
            bench.metrics,
            y[kept],
            _predicted_rows(predicted, kept),
            None if weights is None else weights[kept],
            alpha=alpha,
            seed=seed,
        )
    if problem.task == "classification":
        rejected = None if bench.rule is None else bench.rule.rejected(predicted)
        confusion, rejected_counts = confusion_counts(y, predicted, len(problem.classes), rejected)
    return HeldOutResult(
        rows=len(rows),
        scores=held_out_scores(bench.metrics, y, predicted, weights, alpha=alpha, seed=seed),
        baseline=bench.run(Candidate(BASELINE, {}), (splits.development, rows))[0].scores,
        duplicates=int(duplicates.sum()),
        without_duplicates=without_duplicates,
        without_copies=_without_copies(bench, splits, candidate) if duplicates.any() else None,
        confusion=confusion,
        rejected=rejected_counts,
    )


def _without_copies(
    bench: Workbench, splits: Splits, candidate: Candidate
) -> dict[str, float] | None:
    """Return the scores of a model fitted to the training rows without copies of test rows."""
    copies = duplicates_across(bench.problem, splits.test, splits.development)
    try:
        return bench.run(candidate, (splits.development[~copies], splits.test))[0].scores
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None  # too few rows are left, or one class only


def held_out_scores(
    metrics: tuple[Metric, ...],
    y: NDArray[Any],
    predicted: Predicted,
    weights: NDArray[Any] | None,
    *,
    alpha: float,
    seed: int,
) -> dict[str, HeldOutScore]:
    """Return for each metric its value on the test rows, an interval, and its method.

    The interval is Wilson's for accuracy and DeLong's for an area under the curve; for others it is
    the bootstrap percentile interval, or none if all samples agree.
    """
    usable = [m for m in metrics if predicted.proba is not None or not m.needs_proba]
    count = _RESAMPLES if len(y) <= _MANY_ROWS else _FEWER
    samples = stream(seed, _STREAM).integers(0, len(y), size=(count, len(y)))
    found = {}
    with np.errstate(all="ignore"):
        for metric in usable:
            value = float(metric.function(y, predicted, weights))
            if not np.isfinite(value):
                continue
            low, high, method = _interval(metric, y, predicted, weights, value, alpha, samples)
            found[metric.name] = HeldOutScore(value, defined(low), defined(high), method)
    return found


def _interval(
    metric: Metric,
    y: NDArray[Any],
    predicted: Predicted,
    weights: NDArray[Any] | None,
    value: float,
    alpha: float,
    samples: NDArray[Any],
) -> tuple[float, float, str]:
    confidence = 1 - alpha
    if metric.name == "accuracy" and weights is None:
        wrong = wilson_interval(int((predicted.values != y).sum()), len(y), confidence=confidence)
        return 1 - wrong.high, 1 - wrong.low, "Wilson"
    two = predicted.proba is not None and predicted.proba.shape[1] == 2 and len(np.unique(y)) == 2
    if metric.name == "roc_auc" and weights is None and two:
        area = auc_interval(y, predicted.proba[:, 1], confidence=confidence)  # type: ignore[index]
        return area.low, area.high, "DeLong"
    values = [
        metric.function(
            y[rows], _predicted_rows(predicted, rows), None if weights is None else weights[rows]
        )
        for rows in samples
    ]
    finite = np.array([v for v in values if np.isfinite(v)])
    if len(finite) < len(samples) / 2 or finite.min() == finite.max():
        return float("nan"), float("nan"), "none"
    low, high = np.quantile(finite, [alpha / 2, 1 - alpha / 2])
    return float(min(low, value)), float(max(high, value)), "bootstrap"


def _predicted_rows(predicted: Predicted, rows: NDArray[Any]) -> Predicted:
    return Predicted(
        predicted.values[rows], None if predicted.proba is None else predicted.proba[rows]
    )
