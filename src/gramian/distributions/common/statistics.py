"""Sufficient statistics, which can be merged.

The merged statistics of two parts of the data are those of all the data, up to rounding. So the
parts can be fitted in any order.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from gramian.base.errors import DataError
from gramian.base.types import Floats, Weights

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class SufficientStatistics(ABC):
    """Sufficient statistics of the data for a family."""

    weight: float

    @abstractmethod
    def merge(self, other: Self) -> Self:
        """Return the statistics of both data sets together."""

    def __add__(self, other: Self) -> Self:
        return self.merge(other)


@dataclass(frozen=True, eq=False)
class SufficientSums(SufficientStatistics):
    """Total weight, and sums of the sufficient statistic of an exponential family.

    Attributes
    ----------
    weight
        Total weight: the number of events if all weights are 1.
    total
        sum_i w_i u(x_i), one number per coordinate of the statistic u.
    log_base
        sum_i w_i log h(x_i) of the base measure h, which does not depend on the parameters.
    fixed
        Parameters that are known rather than estimated.

    Examples
    --------
    >>> from gramian.distributions import Bernoulli
    >>> first = Bernoulli.sufficient_statistics([1, 0, 1])
    >>> both = first + Bernoulli.sufficient_statistics([0])
    >>> both.weight, both.total.tolist()
    (4.0, [2.0])
    """

    weight: float
    total: Floats
    log_base: float = 0.0
    fixed: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def merge(self, other: Self) -> Self:
        """Return the sums over both data sets."""
        _check_mergeable(self, other, lambda part: part.total.shape)
        _check_fixed(self, other)
        return type(self)(
            self.weight + other.weight,
            self.total + other.total,
            self.log_base + other.log_base,
            self.fixed,
        )


@dataclass(frozen=True, eq=False)
class SufficientMoments(SufficientStatistics):
    """Total weight, mean and scatter about the mean, of numbers or of rows.

    Squares about the mean do not cancel if the mean is large; squares about 0 would.

    Attributes
    ----------
    weight
        The total weight.
    mean
        The weighted mean: a number, or an array (d,).
    scatter
        sum_i w_i (x_i - mean)(x_i - mean)': a number, or an array (d, d).
    fixed
        Known properties of the estimate.

    Examples
    --------
    >>> from gramian.distributions import Gaussian
    >>> both = Gaussian.sufficient_statistics([1.0, 3.0]) + Gaussian.sufficient_statistics([8.0])
    >>> both.weight, both.mean, both.scatter
    (3.0, 4.0, 26.0)
    """

    weight: float
    mean: Any
    scatter: Any
    fixed: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def merge(self, other: Self) -> Self:
        """Return the moments of both data sets together (Chan, Golub and LeVeque, 1983)."""
        _check_mergeable(self, other, lambda part: np.shape(part.mean))
        _check_fixed(self, other)
        weight = self.weight + other.weight
        if not weight:
            return self
        share = other.weight / weight
        away = other.mean - self.mean
        mean = self.mean + share * away
        between = self.weight * share * np.multiply.outer(away, away)
        scatter = self.scatter + other.scatter + between
        if np.ndim(scatter) == 0:
            return type(self)(weight, float(mean), float(scatter), self.fixed)
        return type(self)(weight, mean, scatter, self.fixed)


@dataclass(frozen=True, eq=False)
class SufficientCounts(SufficientStatistics):
    """The weight of each count 0, 1, 2, ... along the last axis, for one or several categories.

    Attributes
    ----------
    weight
        The total weight.
    counts
        Weight of the events that equal 0, 1, ..., shape (m + 1,) or (K, m + 1).
    fixed
        Parameters that are known rather than estimated.

    Examples
    --------
    >>> from gramian.distributions import NegativeBinomial
    >>> both = (NegativeBinomial.sufficient_statistics([0, 2])
    ...         + NegativeBinomial.sufficient_statistics([0, 0, 5]))
    >>> both.counts.tolist()
    [3.0, 0.0, 1.0, 0.0, 0.0, 1.0]
    """

    weight: float
    counts: Floats
    fixed: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def merge(self, other: Self) -> Self:
        """Return the counts of both data sets together."""
        _check_mergeable(self, other, lambda part: part.counts.shape[:-1])
        _check_fixed(self, other)
        shorter, longer = sorted((self.counts, other.counts), key=lambda counts: counts.shape[-1])
        total = longer.copy()
        total[..., : shorter.shape[-1]] += shorter
        return type(self)(self.weight + other.weight, total, self.fixed)


@dataclass(frozen=True, eq=False)
class SufficientRange(SufficientStatistics):
    """Total weight, smallest and largest event.

    Examples
    --------
    >>> from gramian.distributions import Uniform
    >>> both = Uniform.sufficient_statistics([1.0, 3.0]) + Uniform.sufficient_statistics([2.5, 4.0])
    >>> both.low, both.high
    (1.0, 4.0)
    """

    weight: float
    low: float
    high: float

    def merge(self, other: Self) -> Self:
        """Return the range of both data sets together."""
        _check_mergeable(self, other, lambda _: ())
        low, high = min(self.low, other.low), max(self.high, other.high)
        return type(self)(self.weight + other.weight, low, high)


@dataclass(frozen=True, eq=False)
class SufficientSample(SufficientStatistics):
    """The data themselves, for families without a smaller sufficient statistic.

    Attributes
    ----------
    weight
        The total weight.
    events
        The events, along the first axis.
    weights
        One weight per event.
    fixed
        Parameters that are known rather than estimated.

    Examples
    --------
    >>> from gramian.distributions import Empirical
    >>> both = Empirical.sufficient_statistics([1.0]) + Empirical.sufficient_statistics([3.0, 2.0])
    >>> both.events.tolist()
    [1.0, 3.0, 2.0]
    """

    weight: float
    events: Floats
    weights: Weights
    fixed: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def merge(self, other: Self) -> Self:
        """Return the events of both data sets."""
        _check_mergeable(self, other, lambda part: part.events.shape[1:])
        _check_fixed(self, other)
        return type(self)(
            self.weight + other.weight,
            np.concatenate([self.events, other.events]),
            np.concatenate([self.weights, other.weights]),
            self.fixed,
        )


def _check_fixed(left: Any, right: Any) -> None:
    """Raise unless the same parameters are fixed at the same values."""
    if dict(left.fixed) != dict(right.fixed):
        raise DataError(
            f"{type(left).__name__}.merge: both must have the same fixed parameters; got "
            f"{dict(left.fixed)} here, {dict(right.fixed)} there."
        )


def _check_mergeable(left: Any, right: Any, shape: Callable[[Any], tuple[int, ...]]) -> None:
    """Raise unless both are of one kind and one shape."""
    if type(left) is not type(right):
        raise DataError(
            f"{type(left).__name__}.merge: both must be statistics of the same family; got "
            f"{type(right).__name__}."
        )
    if shape(left) != shape(right):
        raise DataError(
            f"{type(left).__name__}.merge: both must be statistics of the same family and size; "
            f"got shape {shape(left)} here, {shape(right)} there."
        )


def check_weight(owner: str, statistics: SufficientStatistics) -> float:
    """Return the total weight; raise if there are no data."""
    if not statistics.weight > 0:
        raise DataError(
            f"{owner}: maximum likelihood needs at least one event of positive weight; got none. "
            "Use a prior if there are no data."
        )
    return float(statistics.weight)


def weighted_sums(u: Floats, weights: Weights | None) -> Floats:
    """Return sum_i w_i u_i over the first axis."""
    if weights is not None:
        return np.asarray(weights @ u)
    return np.asarray(u.sum() if u.ndim == 1 else np.einsum("i...->...", u))


def total_weight(weights: Weights | None, n: int) -> float:
    """Return the sum of the weights; n if there are none."""
    return float(n if weights is None else weights.sum())
