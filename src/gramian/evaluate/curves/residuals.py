"""Residuals of a regression, and misclassified rows of a classifier."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.decision.risk import check_probabilities
from gramian.evaluate.curves.binary_targets import check_same_length


@dataclass(frozen=True, eq=False)
class ResidualReport:
    """Residuals y - f(x), their summaries, and indicators of systematic errors.

    Attributes
    ----------
    residuals
        One per row.
    rss, mse, rmse
        Sum and mean of squares, and the root of the mean.
    mean_absolute, max_absolute
        Mean and largest absolute residual.
    bias
        Mean of the residuals; if far from 0, predictions are too low or too high on average.
    r2
        Proportion of variance explained; NaN for constant targets.
    spread_trend
        Rank correlation of absolute residual and prediction; if far from 0, the noise is
        heteroscedastic.
    worst
        Row indices, the largest absolute residual first.
    """

    residuals: Floats
    rss: float
    mse: float
    rmse: float
    mean_absolute: float
    max_absolute: float
    bias: float
    r2: float
    spread_trend: float
    worst: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Misclassified:
    """Misclassified rows, the most confident errors first.

    Attributes
    ----------
    rows
        Row indices.
    truth, predicted
        True and predicted labels of these rows.
    error_rate
        Proportion of misclassified rows.
    """

    rows: NDArray[np.intp]
    truth: NDArray[Any]
    predicted: NDArray[Any]
    error_rate: float


def residual_report(y: ArrayLike, predicted: ArrayLike) -> ResidualReport:
    """Report the residuals of a regression.

    Parameters
    ----------
    y, predicted
        Targets and predictions, shape (n,).

    Returns
    -------
    ResidualReport
        Residuals and their summaries.

    Examples
    --------
    >>> report = residual_report([1.0, 2.0, 4.0], [1.0, 2.5, 3.0])
    >>> report.rss, report.max_absolute, report.worst
    (1.25, 1.0, array([2, 1, 0]))
    """
    target, fit = (
        array.astype(np.float64)
        for array in check_same_length("residual_report", y=y, predicted=predicted)
    )
    r = target - fit
    if not np.isfinite(r).all():
        raise DataError("residual_report: y and predicted must be finite numbers.")
    size, total = np.abs(r), float(((target - target.mean()) ** 2).sum())
    not_constant = np.ptp(size) > 0 and np.ptp(fit) > 0
    rss = float(r @ r)
    return ResidualReport(
        residuals=r,
        rss=rss,
        mse=rss / len(r),
        rmse=float(np.sqrt(rss / len(r))),
        mean_absolute=float(size.mean()),
        max_absolute=float(size.max()),
        bias=float(r.mean()),
        r2=1 - rss / total if total > 0 else float("nan"),
        spread_trend=float(stats.spearmanr(fit, size).statistic) if not_constant else 0.0,
        worst=np.argsort(-size, kind="stable"),
    )


def misclassified(
    y_true: ArrayLike, y_pred: ArrayLike, proba: ArrayLike | None = None
) -> Misclassified:
    """List the misclassified rows.

    Parameters
    ----------
    y_true, y_pred
        True and predicted labels, shape (n,).
    proba
        Posterior probabilities, shape (n, classes), to put the most confident errors first.

    Returns
    -------
    Misclassified
        The rows, in their original order if `proba` is None.

    Examples
    --------
    >>> misclassified(["a", "b", "b"], ["a", "a", "b"]).rows
    array([1])
    """
    truth, guess = check_same_length("misclassified", y_true=y_true, y_pred=y_pred)
    rows = np.flatnonzero(truth != guess)
    if proba is not None:
        P = check_probabilities("misclassified", proba)
        if len(P) != len(truth):
            raise DataError(
                f"misclassified: proba must have a row for each of the {len(truth)} labels; "
                f"got shape {P.shape}."
            )
        rows = rows[np.argsort(-P[rows].max(axis=1), kind="stable")]
    return Misclassified(rows, truth[rows], guess[rows], len(rows) / len(truth))
