"""The categorical distribution."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import entr

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import LARGEST_COUNT, check_counts
from gramian.distributions.common.distribution import Distribution, Vector, distribution
from gramian.distributions.common.simplex import check_probabilities
from gramian.distributions.common.statistics import SufficientSums, check_weight, total_weight


@distribution
class Categorical(Distribution):
    """One of the categories 0, ..., K - 1: P(k) = probabilities[k].

    ``Multinomial(1, probabilities)`` represents the same event as a one-hot vector.

    Parameters
    ----------
    probabilities
        Probability of each category, shape (K,).

    Examples
    --------
    >>> Categorical.fit([0, 2, 2, 1], n_categories=4)
    Categorical(probabilities=[0.25, 0.25, 0.5, 0.0])
    >>> Categorical([0.25] * 4).entropy(base=2)
    2.0
    """

    probabilities: Vector

    discrete = True

    def _check(self) -> None:
        probabilities = self._store("probabilities", self.probabilities)
        checked = check_probabilities(type(self).__name__, "probabilities", probabilities)
        self._store("probabilities", checked)

    @property
    def n_categories(self) -> int:
        """The number of categories K."""
        return len(self.probabilities)

    @property
    def mean(self) -> float:
        """The expected value of the category number."""
        return float(self.probabilities @ np.arange(self.n_categories))

    @property
    def variance(self) -> float:
        """The variance of the category number."""
        return float(self.probabilities @ (np.arange(self.n_categories) - self.mean) ** 2)

    @property
    def mode(self) -> int:
        """The most probable category; the first one if there are ties."""
        return int(self.probabilities.argmax())

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x < self.n_categories) & (x == np.floor(x))
        value = np.log(self.probabilities)[np.where(inside, x, 0).astype(np.intp)]
        return np.where(np.isnan(x), np.nan, np.where(inside, value, -np.inf))

    def _cdf(self, x: Floats) -> Floats:
        steps = np.concatenate([[0.0], self.probabilities.cumsum()])
        steps[-1] = 1.0
        place = np.clip(np.floor(x) + 1, 0, self.n_categories)
        known = steps[np.where(np.isnan(x), 0, place).astype(np.intp)]
        return np.where(np.isnan(x), np.nan, known)

    def _quantile(self, q: Floats) -> Floats:
        steps = self.probabilities.cumsum()
        steps[-1] = 1.0
        return np.searchsorted(steps, q, side="left").astype(np.float64)

    def _entropy(self) -> float:
        return float(entr(self.probabilities).sum())

    def _mgf(self, t: Floats) -> Floats:
        return np.asarray(
            np.exp(np.multiply.outer(t, np.arange(self.n_categories))) @ self.probabilities
        )

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        steps = self.probabilities.cumsum()
        return np.searchsorted(steps / steps[-1], rng.random(n), side="right")

    @classmethod
    def _statistics(
        cls,
        data: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        *,
        n_categories: int | None = None,
    ) -> SufficientSums:
        """Return the total weight and the weight of each category.

        `n_categories` defaults to the largest category number plus 1.
        """
        most = LARGEST_COUNT if n_categories is None else n_categories - 1
        x, weights = check_counts(cls.__name__, data, sample_weight, most=most)
        if n_categories is None and not len(x):
            raise DataError(f"{cls.__name__}: n_categories is required if there are no data.")
        size = n_categories if n_categories is not None else int(x.max()) + 1
        counts = np.bincount(x.astype(np.intp), weights=weights, minlength=size)
        return SufficientSums(total_weight(weights, len(x)), counts.astype(np.float64))

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the proportions of the categories."""
        return cls(statistics.total / check_weight(cls.__name__, statistics))
