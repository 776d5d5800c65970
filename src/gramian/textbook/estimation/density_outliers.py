"""Outliers: rows of very small density under a fitted model."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats


class DensityOutliers(NamedTuple):
    """Rows of low density."""

    outliers: npt.NDArray[np.bool_]
    log_density: Floats  # log density of each row
    threshold: float  # log density below which a row is an outlier


def density_outliers(
    distribution: Any,
    X: npt.ArrayLike,
    *,
    threshold: float | None = None,
    quantile: float = 0.01,
    reference: npt.ArrayLike | None = None,
) -> DensityOutliers:
    """Flag the rows to which a fitted model gives a very small density.

    Parameters
    ----------
    distribution
        An object with `log_prob` (a distribution), `score_samples` (a density estimator) or
        `logpdf` (SciPy), or a function that returns log densities.
    X
        Rows to test.
    threshold
        Log density below which a row is an outlier. None sets it by `quantile`.
    quantile
        The proportion of the reference rows to flag.
    reference
        Rows that set the threshold, usually the training rows; None means `X`.

    Returns
    -------
    DensityOutliers

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from gramian.textbook.estimation import density_outliers
    >>> density_outliers(norm(0, 1), [0.1, -0.5, 6.0], threshold=-8.0).outliers
    array([False, False,  True])
    """
    if not 0 <= quantile <= 1:
        raise ParameterError(f"density_outliers: quantile must be in [0, 1]; got {quantile!r}.")
    logs = _log_densities(distribution, X)
    if threshold is None:
        judges = logs if reference is None else _log_densities(distribution, reference)
        threshold = float(np.quantile(judges, quantile, method="lower"))
    return DensityOutliers(logs < threshold, logs, float(threshold))


def _log_densities(distribution: Any, X: npt.ArrayLike) -> Floats:
    names = ("log_prob", "score_samples", "logpdf", "logpmf")
    method = next((getattr(distribution, n) for n in names if hasattr(distribution, n)), None)
    if method is None:
        method = distribution
    if not callable(method):
        raise ParameterError(
            "density_outliers: distribution must have log_prob, score_samples or logpdf, or be a "
            f"function; got {distribution!r}."
        )
    rows = np.asarray(X)
    logs = np.atleast_1d(np.asarray(method(rows), dtype=np.float64))
    if logs.shape != (len(rows),) or np.isnan(logs).any() or not len(rows):
        raise DataError(
            "density_outliers: every row must have one log density that is not NaN; got shape "
            f"{logs.shape} for {len(rows)} rows."
        )
    return logs
