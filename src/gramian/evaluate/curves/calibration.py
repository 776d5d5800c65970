r"""Calibration as points: how often what is said with probability p comes true.

Rows are put into bins by their probability; a calibrated classifier has, in every bin, as many
positives as the mean probability says. The Brier score is the mean of (p - y)^2; the expected
calibration error is the mean distance of the two, weighted by the rows of the bins. References:
Murphy and Winkler, Applied Statistics 26, 1977; Niculescu-Mizil and Caruana, ICML 2005.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.evaluate.curves.binary_targets import positives, scores_of


@dataclass(frozen=True, eq=False)
class CalibrationPoints:
    """Said and seen frequency in each bin that holds rows.

    Attributes
    ----------
    said
        Mean probability of the rows of the bin.
    seen
        Share of positives among them.
    counts
        Rows of the bin.
    brier
        Mean of (p - y)^2 over all rows.
    """

    said: Floats
    seen: Floats
    counts: NDArray[np.intp]
    brier: float

    @property
    def expected_error(self) -> float:
        """Mean distance between said and seen, weighted by the rows of the bins."""
        return float(np.average(np.abs(self.said - self.seen), weights=self.counts))


def calibration_points(
    y_true: ArrayLike,
    proba: ArrayLike,
    *,
    positive: Any = None,
    n_bins: int = 10,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> CalibrationPoints:
    """Return said against seen frequencies.

    Parameters
    ----------
    y_true
        Labels of two classes, shape (n,).
    proba
        Probability of the positive class, shape (n,).
    positive
        The positive class; None is the greater label of two.
    n_bins
        Most bins.
    strategy
        ``"uniform"`` bins of equal width, or ``"quantile"`` bins of about equally many rows.

    Returns
    -------
    CalibrationPoints
        Points of the bins that hold rows.

    Examples
    --------
    >>> found = calibration_points([0, 0, 1, 1], [0.1, 0.3, 0.7, 0.9], n_bins=2)
    >>> found.said, found.seen, found.counts
    (array([0.2, 0.8]), array([0., 1.]), array([2, 2]))
    """
    owner = "calibration_points"
    truth = positives(owner, y_true, positive)
    p = scores_of(owner, proba, len(truth), name="proba")
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
    said = np.bincount(bins, weights=p, minlength=n_bins)[full] / counts[full]
    seen = np.bincount(bins, weights=truth, minlength=n_bins)[full] / counts[full]
    return CalibrationPoints(said, seen, counts[full], float(np.mean((p - truth) ** 2)))
