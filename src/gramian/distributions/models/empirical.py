"""The empirical distribution of a sample."""

from collections.abc import Callable
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.errors import ParameterError
from gramian.base.inputs.weights import check_sample_weight
from gramian.base.parameter_rules import AnyOf, IsArray, OneOf
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers, check_vectors
from gramian.distributions.common.distribution import (
    Distribution,
    Vector,
    distribution,
    number_or_array,
)
from gramian.distributions.common.statistics import SufficientSample, check_weight, total_weight


@distribution
class Empirical(Distribution):
    """The empirical distribution: each value or row of a sample with probability ~ its weight.

    Drawing from it is the bootstrap. Equal values are merged and values of weight 0 are dropped, so
    two samples that differ only in these give equal distributions.

    Parameters
    ----------
    values
        The sample: numbers, shape (n,), or rows, shape (n, d).
    weights
        One weight per value; None uses equal weights.

    Examples
    --------
    >>> coin = Empirical([1, 0, 1, 1])
    >>> coin.mean, coin.expectation(lambda x: x > 0.5)
    (0.75, 0.75)
    """

    values: Vector
    weights: Annotated[Any, AnyOf((IsArray(), OneOf((None,))))] = None

    discrete = True

    def _check(self) -> None:
        owner = type(self).__name__
        values = self._store("values", self.values)
        if values.ndim not in (1, 2) or not values.size:
            raise ParameterError(
                f"{owner}: values must be n >= 1 numbers, shape (n,), or rows, shape (n, d); got "
                f"shape {values.shape}."
            )
        row_weights = check_sample_weight(owner, self.weights, len(values))
        weights = np.ones(len(values)) if row_weights is None else row_weights
        kept = weights > 0
        found, place = np.unique(values[kept], axis=0, return_inverse=True)
        proportions = np.bincount(place.ravel(), weights=weights[kept])
        self._store("values", found)
        self._store("weights", proportions / proportions.sum())

    @property
    def event_ndim(self) -> int:  # type: ignore[override]
        """0 for numbers, 1 for rows."""
        return int(self.values.ndim) - 1

    @property
    def mean(self) -> Any:
        """The mean of the sample."""
        return number_or_array(self.weights @ self.values)

    @property
    def variance(self) -> Any:
        """The variance of each coordinate, divided by n."""
        return number_or_array(self.weights @ (self.values - self.mean) ** 2)

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of rows, divided by n."""
        rows = self.values if self.values.ndim == 2 else self.values[:, None]
        away = rows - self.weights @ rows
        return np.asarray((away.T * self.weights) @ away)

    def expectation(self, function: Callable[[Floats], npt.ArrayLike]) -> Any:
        """Return E f(X); the function takes all values and returns one number or row for each."""
        values = np.asarray(function(self.values), dtype=np.float64)
        return number_or_array(np.tensordot(self.weights, values, 1))

    def _log_prob(self, x: Floats) -> Floats:
        if self.event_ndim == 0:
            place = np.minimum(np.searchsorted(self.values, x), len(self.values) - 1)
            value = np.where(self.values[place] == x, np.log(self.weights[place]), -np.inf)
            return np.where(np.isnan(x), np.nan, value)
        self._check_width(x, self.values.shape[1])
        known = {row.tobytes(): w for row, w in zip(self.values + 0.0, self.weights, strict=True)}
        rows = np.ascontiguousarray(x.reshape(-1, x.shape[-1]) + 0.0)  # -0 becomes 0
        value = np.log([known.get(row.tobytes(), 0.0) for row in rows])
        value[np.isnan(rows).any(axis=1)] = np.nan
        return value.reshape(x.shape[:-1])

    def _steps(self) -> Floats:
        if self.event_ndim:
            raise self._lacks("a cumulative distribution function of rows")
        steps = self.weights.cumsum()
        steps[-1] = 1.0
        return np.asarray(steps)

    def _cdf(self, x: Floats) -> Floats:
        steps = np.concatenate([[0.0], self._steps()])
        value = steps[np.searchsorted(self.values, x, side="right")]
        return np.where(np.isnan(x), np.nan, value)

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(self.values[np.searchsorted(self._steps(), q, side="left")])

    def _entropy(self) -> float:
        return float(special.entr(self.weights).sum())

    def _mgf(self, t: Floats) -> Floats:
        if self.event_ndim == 0:
            return np.asarray(np.exp(np.multiply.outer(t, self.values)) @ self.weights)
        self._check_width(t, self.values.shape[1])
        return np.asarray(np.exp(t @ self.values.T) @ self.weights)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        steps = self.weights.cumsum()
        return self.values[np.searchsorted(steps / steps[-1], rng.random(n), side="right")]

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSample:
        """Return the events themselves."""
        check = check_numbers if np.ndim(data) == 1 else check_vectors
        x, weights = check(cls.__name__, data, sample_weight)
        kept = np.ones(len(x)) if weights is None else weights
        return SufficientSample(total_weight(weights, len(x)), x, kept)

    @classmethod
    def from_statistics(cls, statistics: SufficientSample) -> Self:
        """Return the empirical distribution of the events, the maximum likelihood estimate."""
        check_weight(cls.__name__, statistics)
        return cls(statistics.events, statistics.weights)
