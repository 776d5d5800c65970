"""The variance of averages, in theory and measured."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError


def average_variance(
    variance: float, correlation: float, n_members: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """Return the variance of the mean of equally correlated predictions.

    For T predictions of variance s^2 and pairwise correlation r,

        Var = r s^2 + (1 - r) s^2 / T.

    More members reduce only the second term.

    Parameters
    ----------
    variance
        s^2 of one member.
    correlation
        r between two members.
    n_members
        T, a number or several.

    Returns
    -------
    array
        The variance for each T.

    Examples
    --------
    >>> from gramian.textbook.ensembles import average_variance
    >>> average_variance(4.0, 0.25, [1, 3, 1000]).round(3)
    array([4.   , 2.   , 1.003])
    """
    members = np.asarray(n_members, dtype=float)
    if variance < 0 or not -1 <= correlation <= 1 or (members < 1).any():
        raise ParameterError(
            "average_variance: variance must be >= 0, correlation in [-1, 1] and n_members >= 1; "
            f"got {variance!r}, {correlation!r} and {n_members!r}."
        )
    return np.asarray(correlation * variance + (1 - correlation) * variance / members)


class VarianceReport(NamedTuple):
    """Variances over training sets, averaged over the rows."""

    member: float  # variance of one member
    correlation: float  # correlation between two members
    average: float  # measured variance of the mean of the members
    expected: float  # variance of the mean predicted by average_variance


def measured_variance(predictions: npt.ArrayLike) -> VarianceReport:
    """Measure variance and correlation of an ensemble's members over repeated training sets.

    Parameters
    ----------
    predictions
        Predictions of shape (repetitions, members, rows); in each repetition members are fitted
        to a different training set.

    Returns
    -------
    VarianceReport
        Variance of a member, correlation of two, variance of the mean, and the variance that
        `average_variance` predicts from the first two.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.textbook.ensembles import measured_variance
    >>> random = np.random.default_rng(0)
    >>> common, own = random.normal(size=(5000, 1, 1)), random.normal(size=(5000, 4, 1))
    >>> report = measured_variance(common + own)  # variance 2, correlation 1/2
    >>> bool(abs(report.average - 1.25) < 0.1), bool(abs(report.correlation - 0.5) < 0.03)
    (True, True)
    """
    predictions = np.asarray(predictions, dtype=float)
    if predictions.ndim != 3 or predictions.shape[0] < 2 or predictions.shape[1] < 2:
        raise DataError(
            "measured_variance: predictions must have the shape (repetitions, members, rows) with "
            f"at least two repetitions and two members; got {predictions.shape}."
        )
    members = predictions.shape[1]
    centred = predictions - predictions.mean(axis=0)
    freedom = predictions.shape[0] - 1
    covariance = np.einsum("rmx,rkx->mk", centred, centred) / freedom / predictions.shape[2]
    own = float(np.trace(covariance) / members)
    shared = float((covariance.sum() - np.trace(covariance)) / (members * (members - 1)))
    correlation = shared / own if own > 0 else 0.0
    average = float(predictions.mean(axis=1).var(axis=0, ddof=1).mean())
    expected = float(average_variance(own, float(np.clip(correlation, -1, 1)), members))
    return VarianceReport(own, correlation, average, expected)


def distinct_fraction(n: int, drawn: int | None = None) -> float:
    """Return the expected fraction of n rows that occur in `drawn` draws with replacement.

    It is 1 - (1 - 1/n)^drawn; for n draws about 1 - 1/e = 63.2%.

    Parameters
    ----------
    n
        Number of rows.
    drawn
        Number of draws; None for n.

    Returns
    -------
    float
        The fraction.

    Examples
    --------
    >>> from gramian.textbook.ensembles import distinct_fraction
    >>> round(distinct_fraction(10), 3), round(distinct_fraction(10**6), 3)
    (0.651, 0.632)
    """
    if n < 1 or (drawn is not None and drawn < 0):
        raise ParameterError(
            f"distinct_fraction: n must be >= 1 and drawn >= 0; got {n!r} and {drawn!r}."
        )
    return float(-np.expm1((n if drawn is None else drawn) * np.log1p(-1 / n))) if n > 1 else 1.0
