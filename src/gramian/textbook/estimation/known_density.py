"""A common interface to distributions of gramian and SciPy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rv_continuous

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of
from gramian.base.types import Floats
from gramian.distributions import Distribution

TAIL_PROBABILITY = 1e-14  # tail probability outside the searched range


@dataclass(frozen=True, eq=False)
class KnownDensity:
    """A distribution by its functions; `dimension` is 1 for scalars."""

    log_density: Callable[[Any], Any]
    draw: Callable[[int, np.random.Generator], Any]
    cdf: Callable[[Any], Any] | None
    quantile: Callable[[Any], Any] | None
    dimension: int
    discrete: bool
    mean: Any
    deviation: Any  # for each coordinate
    slow_quantile: bool = False  # each quantile is a root search

    @classmethod
    def of(cls, owner: str, distribution: Any) -> "KnownDensity":
        """Wrap a distribution; raise for anything else."""
        if isinstance(distribution, cls):
            return distribution
        if isinstance(distribution, Distribution):
            return cls._from_gramian(distribution)
        if hasattr(distribution, "rvs") and (
            hasattr(distribution, "logpdf") or hasattr(distribution, "logpmf")
        ):
            return cls._from_scipy(distribution)
        raise ParameterError(
            f"{owner}: a distribution must be from gramian.distributions, or a frozen "
            f"distribution of scipy.stats; got {distribution!r}."
        )

    @classmethod
    def _from_gramian(cls, distribution: Distribution) -> "KnownDensity":
        numbers = distribution.event_ndim == 0
        with np.errstate(all="ignore"):
            deviation = np.sqrt(np.asarray(distribution.variance, dtype=np.float64))
        return cls(
            distribution.log_prob,
            lambda n, rng: distribution.sample(n, random_state=rng),
            _optional_method(distribution.cdf) if numbers else None,
            _optional_method(distribution.quantile) if numbers else None,
            1 if numbers else int(np.size(distribution.mean)),
            bool(distribution.discrete),
            distribution.mean,
            deviation,
        )

    @classmethod
    def _from_scipy(cls, distribution: Any) -> "KnownDensity":
        several = hasattr(distribution, "cov")  # multivariate normal or t
        discrete = hasattr(getattr(distribution, "dist", None), "pmf") and not hasattr(
            distribution.dist, "pdf"
        )
        if several:
            mean = np.atleast_1d(distribution.mean)
            deviation = np.sqrt(np.diag(np.atleast_2d(distribution.cov)))
        else:
            mean, deviation = distribution.mean(), distribution.std()
        return cls(
            distribution.logpmf if discrete else distribution.logpdf,
            lambda n, rng: distribution.rvs(size=n, random_state=seed_of(rng) % 2**32),
            None if several else distribution.cdf,
            None if several else distribution.ppf,
            len(mean) if several else 1,
            discrete,
            mean,
            deviation,
            getattr(type(getattr(distribution, "dist", None)), "_ppf", None) is rv_continuous._ppf,
        )

    def limits(self) -> tuple[float, float]:
        """Return a finite interval with almost all the probability of one variable."""
        if self.quantile is not None:
            low, high = (
                float(q) for q in self.quantile(np.array([TAIL_PROBABILITY, 1 - TAIL_PROBABILITY]))
            )
            if np.isfinite(low) and np.isfinite(high):
                return low, high
        middle, spread = float(self.mean), float(self.deviation)
        return middle - 40 * spread, middle + 40 * spread

    def support_points(self, most: int = 10_000_000) -> Floats:
        """Return the integers that a discrete variable can take, without the far tails."""
        low, high = self.limits()
        if high - low > most:
            raise ParameterError(
                f"a discrete distribution over {high - low:.3g} numbers is too wide for a sum; "
                "sample from it."
            )
        return np.arange(np.floor(low), np.ceil(high) + 1)


def _optional_method(method: Callable[[Any], Any]) -> Callable[[Any], Any] | None:
    """Return a method, or None if the distribution does not implement it."""
    try:
        method(0.5)
    except NotImplementedError:
        return None
    return method
