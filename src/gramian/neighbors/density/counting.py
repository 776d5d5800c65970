"""Densities of one variable from counts: empirical distribution, increments, naive estimator."""

from numbers import Real

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats


def empirical_cdf(sample: npt.ArrayLike, x: npt.ArrayLike) -> Floats:
    """Return the fraction of the sample that is at most x.

    Parameters
    ----------
    sample
        The observed values.
    x
        The points at which to evaluate.

    Returns
    -------
    F : array with the shape of x

    Examples
    --------
    >>> from gramian.neighbors import empirical_cdf
    >>> empirical_cdf([1.0, 2.0, 2.0, 5.0], [0.0, 2.0, 5.0]).tolist()
    [0.0, 0.75, 1.0]
    """
    return _cdf(_sorted("empirical_cdf", sample), _numbers("empirical_cdf", "x", x))


def increment_density(sample: npt.ArrayLike, x: npt.ArrayLike, width: float) -> Floats:
    """Return the slope of the empirical distribution function between x and x + h.

        (#{x_l <= x + h} - #{x_l <= x}) / (N h)

    Parameters
    ----------
    sample
        The numbers observed.
    x
        Points at which to evaluate.
    width
        h > 0.

    Returns
    -------
    density : array with the shape of x

    Examples
    --------
    >>> from gramian.neighbors import increment_density
    >>> increment_density([1.0, 2.0, 2.0, 5.0], 0.0, 2.0).tolist()
    0.375
    """
    h = _width("increment_density", width)
    values = _sorted("increment_density", sample)
    return _increment(values, _numbers("increment_density", "x", x), h)


def naive_density(sample: npt.ArrayLike, x: npt.ArrayLike, width: float) -> Floats:
    """Return the fraction of the sample in a window around x, divided by its width.

        #{x - h/2 < x_l <= x + h/2} / (N h) = 1 / (N h) sum_l w((x - x_l) / h),

    with the weight w(u) = 1 for -1/2 <= u < 1/2: a kernel density with a box kernel.

    Parameters
    ----------
    sample
        The numbers observed.
    x
        Points at which to evaluate.
    width
        h > 0.

    Returns
    -------
    density : array with the shape of x

    Examples
    --------
    >>> from gramian.neighbors import naive_density
    >>> naive_density([-1.0, 0.0, 1.0], [0.0], 1.0).round(6).tolist()
    [0.333333]
    """
    h = _width("naive_density", width)
    values = _sorted("naive_density", sample)
    at = _numbers("naive_density", "x", x)
    return np.asarray((_cdf(values, at + h / 2) - _cdf(values, at - h / 2)) / h)


def _cdf(values: Floats, at: Floats) -> Floats:
    return np.asarray(np.searchsorted(values, at, side="right") / len(values))


def _increment(values: Floats, at: Floats, h: float) -> Floats:
    return np.asarray((_cdf(values, at + h) - _cdf(values, at)) / h)


def _sorted(owner: str, sample: npt.ArrayLike) -> Floats:
    numbers = _numbers(owner, "sample", sample)
    values = one_column(owner, "sample", numbers)
    if not len(values):
        raise DataError(f"{owner}: sample must contain at least one number; got none.")
    return np.sort(values)


def _numbers(owner: str, name: str, values: npt.ArrayLike) -> Floats:
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{owner}: {name} must contain numbers: {error}. Convert text first."
        ) from None
    if not np.isfinite(numbers).all():
        raise DataError(f"{owner}: {name} contains NaN or infinity; drop these values.")
    return numbers


def one_column(owner: str, name: str, values: Floats) -> Floats:
    """Return the values of one variable as a vector; raise if there are several columns."""
    if values.ndim > 1 and values.size != len(values):
        raise DataError(
            f"{owner}: {name} must be the values of one column; got shape {values.shape}. Pass one "
            "column at a time."
        )
    return values.ravel()


def _width(owner: str, width: float) -> float:
    if not (isinstance(width, Real) and np.isfinite(width) and width > 0):
        raise ParameterError(f"{owner}: width must be a finite number > 0; got {width!r}.")
    return float(width)
