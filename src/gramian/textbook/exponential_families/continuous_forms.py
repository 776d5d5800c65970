"""Natural forms of continuous distributions."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from gramian.base.types import Floats, FloatVector
from gramian.distributions.common.gamma_differences import (
    digamma_step,
    log_multivariate_beta,
)
from gramian.distributions.common.simplex import sums_of_others
from gramian.distributions.continuous.beta import Beta
from gramian.distributions.continuous.chi_squared import ChiSquared
from gramian.distributions.continuous.exponential import Exponential
from gramian.distributions.continuous.gamma import Gamma
from gramian.distributions.continuous.gaussian import Gaussian
from gramian.distributions.continuous.inverse_gamma import InverseGamma
from gramian.distributions.multivariate.dirichlet import Dirichlet
from gramian.textbook.exponential_families.natural_form import NaturalForm

_REAL_LINE = (-math.inf, math.inf)
_LOG_2PI = math.log(2 * math.pi)


def _as_column(x: Floats) -> Floats:
    return np.asarray(x, dtype=np.float64)[:, None]


def exponential_form() -> NaturalForm:
    """Return the exponential family in natural form."""
    return NaturalForm(
        _as_column,
        lambda eta: -math.log(-eta[0]),
        [(-math.inf, 0.0)],
        None,
        lambda eta: -1 / eta,
        lambda eta: (1 / eta**2)[:, None],
        lambda held: -held.rate,
        lambda eta: Exponential(-float(eta[0])),
    )


def gamma_form() -> NaturalForm:
    """Return the gamma family in natural form."""
    return _shape_and_rate(
        lambda x: np.column_stack([np.log(x), x]),
        None,
        lambda held: [held.shape - 1, -held.rate],
        lambda shape, rate: Gamma(shape, rate),
    )


def inverse_gamma_form() -> NaturalForm:
    """Return the inverse gamma family in natural form."""
    return _shape_and_rate(  # that of 1 / x, whose density has a factor 1 / x^2
        lambda x: np.column_stack([-np.log(x), 1 / x]),
        lambda x: -2 * np.log(x),
        lambda held: [held.shape - 1, -held.scale],
        lambda shape, rate: InverseGamma(shape, rate),
    )


def _shape_and_rate(
    statistic: Any, log_base: Any, to_natural: Any, member: Callable[[float, float], Any]
) -> NaturalForm:
    def first(eta: FloatVector) -> Floats:
        shape, rate = eta[0] + 1, -eta[1]
        return np.array([special.psi(shape) - math.log(rate), shape / rate])

    def second(eta: FloatVector) -> Floats:
        shape, rate = eta[0] + 1, -eta[1]
        bend = float(special.polygamma(1, shape))
        return np.array([[bend, 1 / rate], [1 / rate, shape / rate**2]])

    return NaturalForm(
        statistic,
        lambda eta: float(special.gammaln(eta[0] + 1) - (eta[0] + 1) * math.log(-eta[1])),
        [(-1.0, math.inf), (-math.inf, 0.0)],
        log_base,
        first,
        second,
        to_natural,
        lambda eta: member(float(eta[0]) + 1, -float(eta[1])),
    )


def chi_squared_form() -> NaturalForm:
    """Return the chi-squared family in natural form."""
    return NaturalForm(
        lambda x: np.log(x)[:, None],
        lambda eta: float(special.gammaln(eta[0] + 1) + (eta[0] + 1) * math.log(2)),
        [(-1.0, math.inf)],
        lambda x: -x / 2,
        lambda eta: special.psi(eta + 1) + math.log(2),
        lambda eta: special.polygamma(1, eta + 1)[:, None],
        lambda held: held.df / 2 - 1,
        lambda eta: ChiSquared(2 * float(eta[0]) + 2),
    )


def dirichlet_form(n_categories: int) -> NaturalForm:
    """Return the Dirichlet family in natural form."""
    return _proportions(n_categories, np.log, lambda held: held.alpha - 1, lambda a: Dirichlet(a))


def beta_form() -> NaturalForm:
    """Return the beta family in natural form."""
    return _proportions(
        2,
        lambda x: np.column_stack([np.log(x), np.log1p(-x)]),
        lambda held: [held.a - 1, held.b - 1],
        lambda a: Beta(*a.tolist()),
    )


def _proportions(
    K: int, statistic: Any, to_natural: Any, from_alpha: Callable[[Floats], Any]
) -> NaturalForm:
    def second(eta: FloatVector) -> Floats:
        total = special.polygamma(1, (eta + 1).sum())
        return np.asarray(np.diag(special.polygamma(1, eta + 1)) - total)

    return NaturalForm(
        statistic,
        lambda eta: log_multivariate_beta(eta + 1),
        [(-1.0, math.inf)] * K,
        None,
        lambda eta: -digamma_step(eta + 1, sums_of_others(eta + 1)),
        second,
        to_natural,
        lambda eta: from_alpha(eta + 1),
    )


def gaussian_form() -> NaturalForm:
    """Return the Gaussian family in natural form."""

    def first(eta: FloatVector) -> Floats:
        mean, variance = -eta[0] / (2 * eta[1]), -1 / (2 * eta[1])
        return np.array([mean, variance + mean**2])

    def second(eta: FloatVector) -> Floats:
        m, v = -eta[0] / (2 * eta[1]), -1 / (2 * eta[1])
        return np.array([[v, 2 * m * v], [2 * m * v, 4 * m * m * v + 2 * v * v]])

    def member(eta: FloatVector) -> Gaussian:
        variance = -1 / (2 * float(eta[1]))
        return Gaussian(float(eta[0]) * variance, variance)

    return NaturalForm(
        lambda x: np.column_stack([x, x**2]),
        lambda eta: -(eta[0] ** 2) / (4 * eta[1]) - 0.5 * math.log(-2 * eta[1]),
        [_REAL_LINE, (-math.inf, 0.0)],
        lambda x: np.full(len(x), -0.5 * _LOG_2PI),
        first,
        second,
        lambda held: [held.mean / held.variance, -0.5 / held.variance],
        member,
    )
