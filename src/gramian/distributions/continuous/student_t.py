"""Student's t distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers
from gramian.distributions.common.distribution import Above0, Distribution, Finite, distribution
from gramian.distributions.common.gamma_differences import digamma_step, log_gamma_step
from gramian.distributions.common.saddle_point import log_ratio
from gramian.distributions.common.small_quantiles import student_t_quantile
from gramian.distributions.common.statistics import SufficientSample, check_weight, total_weight
from gramian.distributions.common.student_t_fit import fit_student_t


@distribution
class StudentT(Distribution):
    """Student's t: the density of location + scale z / sqrt(c / df), z normal, c chi-squared(df).

    The critical value t with P(T > t) = alpha is ``StudentT(df).quantile(1 - alpha)``.

    Parameters
    ----------
    df
        Degrees of freedom.
    location
        The centre.
    scale
        The scale, which is not the standard deviation.

    Examples
    --------
    >>> round(float(StudentT(9).quantile(0.975)), 3)
    2.262
    """

    df: Above0
    location: Finite = 0.0
    scale: Above0 = 1.0

    @property
    def mean(self) -> float:
        """The expected value, the location; NaN if df <= 1."""
        return self.location if self.df > 1 else math.nan

    @property
    def variance(self) -> float:
        """The variance, scale^2 df / (df - 2); infinite if df <= 2, NaN if df <= 1."""
        if self.df > 2:
            return self.scale * (self.scale * (self.df / (self.df - 2)))
        return math.inf if self.df > 1 else math.nan

    def _log_normalizer(self) -> float:
        gammas = float(log_gamma_step(self.df / 2, 0.5))
        return 0.5 * (math.log(math.pi) + math.log(self.df)) - gammas + math.log(self.scale)

    def _log_prob(self, x: Floats) -> Floats:
        away = np.abs(x - self.location)
        ratio = away / self.scale / math.sqrt(self.df)
        logs = np.log1p(ratio * ratio)
        far = ~(ratio < 1e100)
        if far.any():
            logs = np.where(far, 2 * log_ratio(away, self.scale) - math.log(self.df), logs)
        return -self._log_normalizer() - (self.df + 1) / 2 * logs

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(
            special.stdtr(self.df, (x - self.location) / self.scale), dtype=np.float64
        )

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(self.location + self.scale * student_t_quantile(self.df, q))

    def _entropy(self) -> float:
        return self._log_normalizer() + (self.df + 1) / 2 * float(digamma_step(self.df / 2, 0.5))

    def _mgf(self, t: Floats) -> Floats:
        return np.where(t == 0, 1.0, np.where(np.isnan(t), np.nan, np.inf))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return self.location + self.scale * rng.standard_t(self.df, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, df: float | None = None
    ) -> SufficientSample:
        """Return the events themselves: no smaller statistic is sufficient."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        kept = np.ones(len(x)) if weights is None else weights
        return SufficientSample(total_weight(weights, len(x)), x, kept, {"df": df})

    @classmethod
    def from_statistics(cls, statistics: SufficientSample) -> Self:
        """Return the maximum likelihood estimate, by EM; df is at most 1e6."""
        check_weight(cls.__name__, statistics)
        df = statistics.fixed["df"]
        rows = statistics.events[:, None]
        fitted = fit_student_t(cls.__name__, rows, statistics.weights, df)
        return cls(fitted.df, float(fitted.location[0]), math.sqrt(float(fitted.scale[0, 0])))
