r"""Calibration: predicted probabilities against observed frequencies.

Rows are binned by their probability; for a calibrated classifier the proportion of positives in
every bin is the mean predicted probability. The Brier score is the mean of (p - y)^2; the expected
calibration error is the mean absolute difference of the two, weighted by the number of rows in each
bin. References: Murphy and Winkler, Applied Statistics 26, 1977; Niculescu-Mizil and Caruana, ICML
2005.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.evaluate.curves.binary_targets import check_scores, positives


@dataclass(frozen=True, eq=False)
class CalibrationPoints:
    """Predicted probability and observed frequency in each bin that has rows.

    Attributes
    ----------
    prob_pred
        Mean predicted probability of the rows of the bin.
    prob_true
        Proportion of positives among them.
    counts
        Number of rows in the bin.
    brier
        Mean of (p - y)^2 over all rows.
    """

    prob_pred: Floats
    prob_true: Floats
    counts: NDArray[np.intp]
    brier: float

    @property
    def expected_calibration_error(self) -> float:
        """Mean of ``|prob_pred - prob_true|``, weighted by the rows of the bins."""
        return float(np.average(np.abs(self.prob_pred - self.prob_true), weights=self.counts))


def calibration_points(
    y_true: ArrayLike,
    proba: ArrayLike,
    *,
    positive: Any = None,
    n_bins: int = 10,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> CalibrationPoints:
    """Return predicted probabilities and observed frequencies in bins.

    Parameters
    ----------
    y_true
        Labels of two classes, shape (n,).
    proba
        Probability of the positive class, shape (n,).
    positive
        The positive class; None uses the larger of the two labels.
    n_bins
        Number of bins; empty ones are left out.
    strategy
        ``"uniform"`` bins of equal width, or ``"quantile"`` bins with about the same number of
        rows.

    Returns
    -------
    CalibrationPoints
        One point for each bin that has rows.

    Examples
    --------
    >>> found = calibration_points([0, 0, 1, 1], [0.1, 0.3, 0.7, 0.9], n_bins=2)
    >>> found.prob_pred, found.prob_true, found.counts
    (array([0.2, 0.8]), array([0., 1.]), array([2, 2]))
    """
    owner = "calibration_points"
    truth = positives(owner, y_true, positive)
    p = check_scores(owner, proba, len(truth), name="proba")
    if p.min() < 0 or p.max() > 1:
        raise DataError(
            f"{owner}: proba must be probabilities from 0 to 1; got values from {p.min():.4g} to "
            f"{p.max():.4g}. Calibrate scores first, see sklearn.calibration."
        )
    if n_bins < 1 or strategy not in ("uniform", "quantile"):
        raise ParameterError(
            f"{owner}: n_bins must be at least 1 and strategy 'uniform' or 'quantile'; got "
            f"{n_bins!r} and {strategy!r}."
        )
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    edges = inner if strategy == "uniform" else np.quantile(p, inner)
    bins = np.searchsorted(edges, p)  # bins (a, b], as scikit-learn's
    counts = np.bincount(bins, minlength=n_bins)
    full = counts > 0
    prob_pred = np.bincount(bins, weights=p, minlength=n_bins)[full] / counts[full]
    prob_true = np.bincount(bins, weights=truth, minlength=n_bins)[full] / counts[full]
    return CalibrationPoints(prob_pred, prob_true, counts[full], float(np.mean((p - truth) ** 2)))
