"""Distribution families of gramian in natural form."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import is_count
from gramian.distributions.common.distribution import Distribution
from gramian.distributions.common.gamma_differences import (
    digamma_step,
    log_gamma_step,
    log_multivariate_beta,
)
from gramian.distributions.common.saddle_point import (
    log_binomial,
    log_choose,
    log_multinomial_coefficient,
    log_negative_binomial,
    log_poisson,
)
from gramian.distributions.common.simplex import sums_of_others
from gramian.distributions.continuous.beta import Beta
from gramian.distributions.continuous.chi_squared import ChiSquared
from gramian.distributions.continuous.exponential import Exponential
from gramian.distributions.continuous.gamma import Gamma
from gramian.distributions.continuous.gaussian import Gaussian
from gramian.distributions.continuous.inverse_gamma import InverseGamma
from gramian.distributions.discrete.bernoulli import Bernoulli
from gramian.distributions.discrete.binomial import Binomial
from gramian.distributions.discrete.categorical import Categorical
from gramian.distributions.discrete.multinomial import Multinomial
from gramian.distributions.discrete.negative_binomial import NegativeBinomial
from gramian.distributions.discrete.poisson import Poisson
from gramian.distributions.multivariate.dirichlet import Dirichlet
from gramian.textbook.exponential_families.exponential_family import ExponentialFamily

_LINE = (-math.inf, math.inf)
_UNDERFLOW = 700.0  # exp(-_UNDERFLOW) is about the smallest float
_LOG_2PI = math.log(2 * math.pi)


@dataclass(frozen=True)
class NaturalForm(ExponentialFamily):
    """An exponential family whose members are distributions of gramian.

    Parameters
    ----------
    to_natural
        Function from a distribution to eta.
    from_natural
        Function from eta to the distribution.
    log_density
        Function from events and eta to log p(x | eta) without cancellation between h, u and A; None
        uses the density of the distribution, if its parameters keep the precision of eta.

    Examples
    --------
    >>> form = natural_form(Bernoulli)
    >>> form.natural_parameter(Bernoulli(0.5))
    array([0.])
    >>> form.member([0.0])
    Bernoulli(p=0.5)
    """

    to_natural: Callable[[Any], Any] = lambda distribution: distribution
    from_natural: Callable[[Floats], Any] = lambda eta: eta
    log_density: Callable[[Floats, Floats], Any] | None = None

    def log_prob(self, x: npt.ArrayLike, eta: Any) -> Floats:
        """Return log p(x | eta) for events along the first axis."""
        point, events = self._point(eta), np.asarray(x, dtype=np.float64)
        if self.log_density is None:
            return np.asarray(self.member(point).log_prob(events))
        with np.errstate(all="ignore"):
            return np.asarray(self.log_density(events, point))

    def natural_parameter(self, distribution: Distribution) -> Floats:
        """Return the eta of a distribution of the family."""
        return np.atleast_1d(np.asarray(self.to_natural(distribution), dtype=np.float64))

    def member(self, eta: Any) -> Any:
        """Return the distribution with this natural parameter."""
        return self.from_natural(self._point(eta))


def natural_form(family: type[Distribution], **fixed: Any) -> NaturalForm:
    """Return a family of distributions as an exponential family.

    Parameters
    ----------
    family
        Bernoulli, Binomial (with `n`), Categorical (with `n_categories`), Multinomial (with `n` and
        `n_categories`), NegativeBinomial (with `r`), Poisson, Exponential, Gamma, InverseGamma,
        ChiSquared, Beta, Dirichlet (with `n_categories`) or Gaussian.
    fixed
        Parameters that are known.

    Returns
    -------
    NaturalForm
        The functions h, u and A, with maximum likelihood and conjugate priors.

    Examples
    --------
    >>> form = natural_form(Gaussian)
    >>> round(form.member(form.maximum_likelihood([1.0, 3.0])).variance, 6)
    1.0
    """
    if family not in _FORMS:
        raise ParameterError(
            f"natural_form: {family.__name__} has no natural form; supported are "
            f"{', '.join(known.__name__ for known in _FORMS)}."
        )
    return _FORMS[family](**fixed)


def _number(x: Floats) -> Floats:
    return np.asarray(x, dtype=np.float64)[:, None]


def _bernoulli() -> NaturalForm:
    return _binomial(1, Bernoulli)


def _binomial(n: int, family: type[Distribution] = Binomial) -> NaturalForm:
    def member(eta: Floats) -> Distribution:
        p = float(special.expit(eta[0]))
        return Bernoulli(p) if family is Bernoulli else Binomial(n, p)

    def second(eta: Floats) -> Floats:
        return np.array([[n * special.expit(eta[0]) * special.expit(-eta[0])]])

    def log_density(x: Floats, eta: Floats) -> Floats:
        inside = is_count(x) & (x <= n)
        count = np.where(inside, x, 0.0)
        if abs(eta[0]) > _UNDERFLOW:
            value = log_choose(count, n - count) + count * eta[0] - n * np.logaddexp(0.0, eta[0])
        else:
            p, q = special.expit(eta[0]), special.expit(-eta[0])
            value = log_binomial(count, n - count, p, q)
        return np.where(inside, value, -np.inf)

    return NaturalForm(
        _number,
        lambda eta: float(n * np.logaddexp(0.0, eta[0])),
        [_LINE],
        lambda x: log_choose(x, n - x),
        lambda eta: n * special.expit(eta),
        second,
        lambda held: special.logit(held.p),
        member,
        log_density,
    )


def _categorical(n_categories: int) -> NaturalForm:
    K = n_categories
    return _of_categories(
        K,
        1,
        lambda x: np.eye(K)[np.asarray(x, dtype=np.intp)][:, :-1],
        None,
        lambda p: Categorical(p),
    )


def _multinomial(n: int, n_categories: int) -> NaturalForm:
    return _of_categories(
        n_categories,
        n,
        lambda x: np.asarray(x, dtype=np.float64)[:, :-1],
        log_multinomial_coefficient,
        lambda p: Multinomial(n, p),
    )


def _of_categories(
    K: int, n: int, statistic: Any, log_base: Any, from_probabilities: Callable[[Floats], Any]
) -> NaturalForm:
    """N draws of K categories; eta are the log odds against the last one."""

    def probabilities(eta: Floats) -> Floats:
        return np.asarray(special.softmax(np.append(eta, 0.0)))

    def second(eta: Floats) -> Floats:
        p = probabilities(eta)[:-1]
        return np.asarray(n * (np.diag(p) - np.outer(p, p)))

    def normalizer(eta: Floats) -> float:
        return n * float(special.logsumexp(np.append(eta, 0.0)))

    def log_density(x: Floats, eta: Floats) -> Floats:
        if np.ptp(np.append(eta, 0.0)) <= _UNDERFLOW:
            return np.asarray(from_probabilities(probabilities(eta)).log_prob(x))
        base = 0.0 if log_base is None else log_base(x)
        return np.asarray(base + statistic(x) @ eta - normalizer(eta))

    return NaturalForm(
        statistic,
        normalizer,
        [_LINE] * (K - 1),
        log_base,
        lambda eta: n * probabilities(eta)[:-1],
        second,
        lambda held: np.log(held.probabilities[:-1]) - np.log(held.probabilities[-1]),
        lambda eta: from_probabilities(probabilities(eta)),
        log_density,
    )


def _poisson() -> NaturalForm:
    def log_density(x: Floats, eta: Floats) -> Floats:
        inside = is_count(x)
        value = log_poisson(np.where(inside, x, 0.0), np.exp(eta[0]), lambda: eta[0])
        return np.where(inside, value, -np.inf)

    return NaturalForm(
        _number,
        lambda eta: float(np.exp(eta[0])),
        [(-math.inf, 700.0)],
        lambda x: -special.gammaln(x + 1),
        np.exp,
        lambda eta: np.exp(eta)[:, None],
        lambda held: math.log(held.rate),
        lambda eta: Poisson(math.exp(eta[0])),
        log_density,
    )


def _negative_binomial(r: float) -> NaturalForm:
    def first(eta: Floats) -> Floats:
        return r / np.expm1(-eta)

    def log_density(x: Floats, eta: Floats) -> Floats:
        inside = is_count(x)
        count, q = np.where(inside, x, 0.0), np.exp(eta[0])
        if eta[0] < -_UNDERFLOW:
            value = log_gamma_step(r, count) - special.gammaln(count + 1) + count * eta[0]
        else:
            value = log_negative_binomial(count, r, -np.expm1(eta[0]), q)
        return np.where(inside, value, -np.inf)

    return NaturalForm(
        _number,
        lambda eta: float(-r * np.log(-np.expm1(eta[0]))),
        [(-math.inf, 0.0)],
        lambda x: log_gamma_step(r, x) - special.gammaln(x + 1),
        first,
        lambda eta: (first(eta) / -np.expm1(eta))[:, None],
        lambda held: math.log1p(-held.p),
        lambda eta: NegativeBinomial(r, -math.expm1(eta[0])),
        log_density,
    )


def _exponential() -> NaturalForm:
    return NaturalForm(
        _number,
        lambda eta: -math.log(-eta[0]),
        [(-math.inf, 0.0)],
        None,
        lambda eta: -1 / eta,
        lambda eta: (1 / eta**2)[:, None],
        lambda held: -held.rate,
        lambda eta: Exponential(-float(eta[0])),
    )


def _gamma() -> NaturalForm:
    return _shape_and_rate(
        lambda x: np.column_stack([np.log(x), x]),
        None,
        lambda held: [held.shape - 1, -held.rate],
        lambda shape, rate: Gamma(shape, rate),
    )


def _inverse_gamma() -> NaturalForm:
    return _shape_and_rate(  # the density of 1 / x, with the factor 1 / x^2
        lambda x: np.column_stack([-np.log(x), 1 / x]),
        lambda x: -2 * np.log(x),
        lambda held: [held.shape - 1, -held.scale],
        lambda shape, rate: InverseGamma(shape, rate),
    )


def _shape_and_rate(
    statistic: Any, log_base: Any, to_natural: Any, member: Callable[[float, float], Any]
) -> NaturalForm:
    def first(eta: Floats) -> Floats:
        shape, rate = eta[0] + 1, -eta[1]
        return np.array([special.psi(shape) - math.log(rate), shape / rate])

    def second(eta: Floats) -> Floats:
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


def _chi_squared() -> NaturalForm:
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


def _dirichlet(n_categories: int) -> NaturalForm:
    return _proportions(n_categories, np.log, lambda held: held.alpha - 1, lambda a: Dirichlet(a))


def _beta() -> NaturalForm:
    return _proportions(
        2,
        lambda x: np.column_stack([np.log(x), np.log1p(-x)]),
        lambda held: [held.a - 1, held.b - 1],
        lambda a: Beta(*a.tolist()),
    )


def _proportions(
    K: int, statistic: Any, to_natural: Any, from_alpha: Callable[[Floats], Any]
) -> NaturalForm:
    def second(eta: Floats) -> Floats:
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


def _gaussian() -> NaturalForm:
    def first(eta: Floats) -> Floats:
        mean, variance = -eta[0] / (2 * eta[1]), -1 / (2 * eta[1])
        return np.array([mean, variance + mean**2])

    def second(eta: Floats) -> Floats:
        m, v = -eta[0] / (2 * eta[1]), -1 / (2 * eta[1])
        return np.array([[v, 2 * m * v], [2 * m * v, 4 * m * m * v + 2 * v * v]])

    def member(eta: Floats) -> Gaussian:
        variance = -1 / (2 * float(eta[1]))
        return Gaussian(float(eta[0]) * variance, variance)

    return NaturalForm(
        lambda x: np.column_stack([x, x**2]),
        lambda eta: -(eta[0] ** 2) / (4 * eta[1]) - 0.5 * math.log(-2 * eta[1]),
        [_LINE, (-math.inf, 0.0)],
        lambda x: np.full(len(x), -0.5 * _LOG_2PI),
        first,
        second,
        lambda held: [held.mean / held.variance, -0.5 / held.variance],
        member,
    )


_FORMS: dict[type[Distribution], Callable[..., NaturalForm]] = {
    Bernoulli: _bernoulli,
    Binomial: _binomial,
    Categorical: _categorical,
    Multinomial: _multinomial,
    NegativeBinomial: _negative_binomial,
    Poisson: _poisson,
    Exponential: _exponential,
    Gamma: _gamma,
    InverseGamma: _inverse_gamma,
    ChiSquared: _chi_squared,
    Beta: _beta,
    Dirichlet: _dirichlet,
    Gaussian: _gaussian,
}
