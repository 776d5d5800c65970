"""Medians for imputation, and means and deviations for scaling."""

import numpy as np

from gramian.base.types import Floats

_FAR = 1e100  # squares of larger numbers may overflow


def medians_of(values: Floats) -> Floats:
    """Return the median of the known values of each column; zero if there are none.

    Examples
    --------
    >>> medians_of(np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, np.nan]]))
    array([2., 0.])
    """
    medians = np.zeros(values.shape[1], dtype=values.dtype)
    if not values.size:
        return medians
    gone = np.isnan(values)
    whole = ~gone.any(axis=0)
    some = ~whole & ~gone.all(axis=0)
    medians[whole] = np.median(values[:, whole], axis=0)
    medians[some] = np.nanmedian(values[:, some], axis=0)
    return medians


def scales_of(values: Floats) -> tuple[Floats, Floats]:
    """Return mean and deviation of each column; the deviation of a constant is 1.

    Examples
    --------
    >>> scales_of(np.array([[1.0, 7.0], [3.0, 7.0]]))
    (array([2., 7.]), array([1., 1.]))
    """
    top = np.abs(values).max(axis=0, initial=0.0).astype(np.float64)
    unit = np.where((top > _FAR) | ((top < 1 / _FAR) & (top > 0)), top, 1.0)
    near = values if (unit == 1).all() else values / unit
    means = near.mean(axis=0, dtype=np.float64)
    deviations = near.std(axis=0, dtype=np.float64)
    tiny = 10 * np.finfo(values.dtype).eps * np.abs(means)  # constant up to rounding
    return means * unit, np.where(deviations > tiny, deviations * unit, 1.0)
