"""Density of a region by counting, K / (N V), with its mean and variance."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.neighbors.structures.input_checks import check_points


class RegionDensity(NamedTuple):
    """The estimate K / (N V) of the mean density of a region, and its standard error.

    Attributes
    ----------
    density
        K / (N V), an unbiased estimate of the mean density P / V of the region.
    proportion
        K / N, the estimate of the probability P of the region.
    proportion_variance
        Unbiased estimate of the variance P (1 - P) / N of the proportion:
        (K / N) (1 - K / N) / (N - 1); NaN for a single row.
    standard_error
        Standard error of the density: the square root of the variance divided by V.
    n_inside, n_rows
        K and N.
    volume
        Volume V of the region.
    """

    density: float
    proportion: float
    proportion_variance: float
    standard_error: float
    n_inside: int
    n_rows: int
    volume: float


def region_density(
    X: npt.ArrayLike, inside: Callable[[npt.NDArray[np.float64]], npt.ArrayLike], volume: float
) -> RegionDensity:
    """Estimate the mean density of a region from the rows in it: K / (N V).

    Each of N independent rows lies in the region with probability P, so K is binomial: E[K / N] = P
    and var[K / N] = P (1 - P) / N (`proportion_moments`). In a small region the density p is nearly
    constant, P = p V, which leads to p = K / (N V). With fixed V this gives histograms and kernel
    estimates, with fixed K `gramian.KNeighborsDensity`.

    Parameters
    ----------
    X
        Rows, shape (n, d).
    inside
        Function of an array of rows that returns a mask of the rows in the region.
    volume
        Volume V > 0 of the region.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.textbook.estimation import region_density
    >>> X = np.random.default_rng(0).normal(size=(1000, 1))
    >>> found = region_density(X, lambda x: abs(x[:, 0]) < 0.25, 0.5)
    >>> round(found.density, 3), round(found.standard_error, 3)   # the density at 0 is 0.399
    (0.384, 0.025)
    """
    owner = "region_density"
    rows = check_points(owner, X, name="X")
    if not (isinstance(volume, Real) and np.isfinite(volume) and volume > 0):
        raise ParameterError(f"{owner}: volume must be a finite number > 0; got {volume!r}.")
    hits = np.asarray(inside(rows), dtype=bool)
    if hits.shape != (len(rows),):
        raise DataError(
            f"{owner}: inside must return one value per row, shape ({len(rows)},); got shape "
            f"{hits.shape}."
        )
    n, k = len(rows), int(hits.sum())
    proportion = k / n
    variance = proportion * (1 - proportion) / (n - 1) if n > 1 else np.nan
    return RegionDensity(
        proportion / volume,
        proportion,
        variance,
        float(np.sqrt(variance)) / volume,
        k,
        n,
        float(volume),
    )


class ProportionMoments(NamedTuple):
    """Mean and variance of K / N.

    Attributes
    ----------
    mean
        The mean P of the proportion.
    variance
        P (1 - P) / N.
    """

    mean: float
    variance: float


def proportion_moments(probability: float, n: int) -> ProportionMoments:
    """Return the mean and variance of the proportion K / N of rows that lie in a region.

    Divided by the volume V and by V^2, they are those of the density K / (N V). The variance tends
    to 0 as N grows, so K / N converges to P.

    Parameters
    ----------
    probability
        Probability P of the region.
    n
        Number of rows, N.

    Examples
    --------
    >>> from gramian.textbook.estimation import proportion_moments
    >>> proportion_moments(0.25, 300)
    ProportionMoments(mean=0.25, variance=0.000625)
    """
    if not (isinstance(probability, Real) and 0 <= probability <= 1):
        raise ParameterError(
            f"proportion_moments: probability must be in [0, 1]; got {probability!r}."
        )
    if not isinstance(n, Integral) or isinstance(n, bool) or n < 1:
        raise ParameterError(f"proportion_moments: n must be an integer >= 1; got {n!r}.")
    p = float(probability)
    return ProportionMoments(p, p * (1 - p) / int(n))
