"""Out-of-fold predictions as curves and counts, thinned for the report."""

import warnings
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from gramian.base.types import Floats, Mask, Matrix
from gramian.evaluate.curves.calibration import calibration_points
from gramian.evaluate.curves.roc import precision_recall_points, roc_points
from gramian.study.contents.columns import Histogram
from gramian.study.contents.models import (
    Band,
    Calibration,
    ClassCurves,
    ClassPredictions,
    Confidence,
    Decile,
    Dots,
    NumberPredictions,
    Points,
    ThresholdCounts,
)
from gramian.study.problem.metrics import Predicted

Counts = tuple[int, ...]

_POINTS = 120  # maximum number of points of a curve
_DOTS = 400  # maximum number of points of a scatter plot
_CLASSES = 12  # maximum number of classes with curves, the most frequent ones


def confusion_counts(
    y: Matrix, predicted: Predicted, n_classes: int, rejected: NDArray[np.bool_] | None
) -> tuple[tuple[Counts, ...], Counts | None]:
    """Return the confusion matrix, and the number of rejected rows of each class."""
    decided = slice(None) if rejected is None else ~rejected
    table = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(table, (y[decided], predicted.values[decided]), 1)
    confusion = tuple(tuple(row) for row in table.tolist())
    if rejected is None:
        return confusion, None
    return confusion, tuple(np.bincount(y[rejected], minlength=n_classes).tolist())


def describe_classes(
    y: Matrix,
    predicted: Predicted,
    folds: list[int],
    classes: list[str],
    rejected: NDArray[np.bool_] | None = None,
) -> ClassPredictions:
    """Return confusion counts, and for each class its curves against the rest."""
    K = len(classes)
    confusion, rejected_counts = confusion_counts(y, predicted, K, rejected)
    if predicted.proba is None:
        return ClassPredictions(confusion, rejected_counts, curves=(), histogram=None)
    counts = np.bincount(y, minlength=K)
    shown = [1] if K == 2 else [int(k) for k in np.argsort(-counts, kind="stable")[:_CLASSES]]
    curves = tuple(
        _curves(y == k, predicted.proba[:, k], folds, k) for k in shown if 0 < counts[k] < len(y)
    )
    return ClassPredictions(confusion, rejected_counts, curves, _confidence(y, predicted))


def describe_regression(y: Matrix, predicted: Predicted, seed: int) -> NumberPredictions:
    """Return predicted against true values, residual histogram, and errors by decile."""
    residual = y - predicted.values
    rng = np.random.default_rng(seed)
    dots = np.sort(rng.permutation(len(y))[:_DOTS])
    counts, edges = np.histogram(residual, bins=min(40, max(5, int(np.sqrt(len(y))))))
    order = np.argsort(predicted.values, kind="stable")
    parts = [part for part in np.array_split(order, 10) if len(part)]
    return NumberPredictions(
        dots=Dots(true=_rounded(y[dots]), predicted=_rounded(predicted.values[dots])),
        residuals=Histogram(edges=_rounded(edges), counts=tuple(counts.tolist())),
        deciles=tuple(
            Decile(
                from_=float(predicted.values[part].min()),
                to=float(predicted.values[part].max()),
                mean_error=float(residual[part].mean()),
                mean_absolute_error=float(np.abs(residual[part]).mean()),
                rows=len(part),
            )
            for part in parts
        ),
    )


def _curves(truth: Mask, p: Floats, folds: list[int], k: int) -> ClassCurves:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        roc, pr = roc_points(truth, p), precision_recall_points(truth, p)
        calibration = calibration_points(truth, np.clip(p, 0, 1))
        parts = [
            (roc_points(truth[a:b], p[a:b]), precision_recall_points(truth[a:b], p[a:b]))
            for a, b in pairwise([0, *accumulate(folds)])
            if 0 < truth[a:b].sum() < b - a
        ]
    grid = np.linspace(0, 1, 51)
    keep = _thinned(roc.false_alarms, roc.hits)
    keep_pr = _thinned(pr.recall, pr.precision)
    thresholds = np.linspace(0, 1, 101)
    return ClassCurves(
        class_=k,
        auc=float(roc.area.auc),
        auc_low=float(roc.area.low),
        auc_high=float(roc.area.high),
        average_precision=float(pr.average_precision),
        roc=Points(_rounded(roc.false_alarms[keep]), _rounded(roc.hits[keep])),
        roc_band=_band(grid, [np.interp(grid, r.false_alarms, r.hits) for r, _ in parts]),
        precision_recall=Points(_rounded(pr.recall[keep_pr]), _rounded(pr.precision[keep_pr])),
        precision_recall_band=_band(
            grid, [np.interp(grid, q.recall[::-1], q.precision[::-1]) for _, q in parts]
        ),
        calibration=Calibration(
            prob_pred=_rounded(calibration.prob_pred),
            prob_true=_rounded(calibration.prob_true),
            rows=tuple(calibration.counts.tolist()),
            expected_error=float(calibration.expected_calibration_error),
            brier=float(calibration.brier),
        ),
        thresholds=ThresholdCounts(  # for the sliders of the report
            at=_rounded(thresholds),
            true_positives=tuple(int((truth & (p >= t)).sum()) for t in thresholds),
            false_positives=tuple(int((~truth & (p >= t)).sum()) for t in thresholds),
            positives=int(truth.sum()),
            negatives=int((~truth).sum()),
        ),
    )


def _confidence(y: Matrix, predicted: Predicted) -> Confidence:
    """Return histograms of the highest probability, for correct and for wrong predictions."""
    assert predicted.proba is not None
    top = predicted.proba.max(axis=1)
    edges = np.linspace(0, 1, 21)
    right = predicted.values == y
    return Confidence(
        edges=_rounded(edges),
        right=tuple(np.histogram(top[right], edges)[0].tolist()),
        wrong=tuple(np.histogram(top[~right], edges)[0].tolist()),
    )


def _band(grid: NDArray[Any], folds: list[NDArray[Any]]) -> Band:
    """Return the minimum and maximum over the folds."""
    return Band(
        x=_rounded(grid),
        low=_rounded(np.min(folds, axis=0)) if folds else (),
        high=_rounded(np.max(folds, axis=0)) if folds else (),
    )


def _thinned(x: NDArray[Any], y: Matrix) -> NDArray[np.intp]:
    """Return points evenly spaced along the curve, so that steep parts keep some."""
    length: Floats = np.r_[0.0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))]
    if len(x) <= _POINTS:
        return np.arange(len(x))
    wanted = np.linspace(0, length[-1], _POINTS)
    return np.unique(np.r_[0, np.searchsorted(length, wanted).clip(0, len(x) - 1), len(x) - 1])


def _rounded(values: npt.ArrayLike) -> tuple[float, ...]:
    """Return numbers with six digits, so that a page stays small."""
    return tuple(float(f"{v:.6g}") for v in np.asarray(values, dtype=np.float64).tolist())
