"""Natural forms of discrete distributions."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from gramian.base.types import Floats, FloatVector
from gramian.distributions.common.data_checks import is_count
from gramian.distributions.common.distribution import Distribution
from gramian.distributions.common.gamma_differences import (
    log_gamma_step,
)
from gramian.distributions.common.saddle_point import (
    log_binomial,
    log_choose,
    log_multinomial_coefficient,
    log_negative_binomial,
    log_poisson,
)
from gramian.distributions.discrete.bernoulli import Bernoulli
from gramian.distributions.discrete.binomial import Binomial
from gramian.distributions.discrete.categorical import Categorical
from gramian.distributions.discrete.multinomial import Multinomial
from gramian.distributions.discrete.negative_binomial import NegativeBinomial
from gramian.distributions.discrete.poisson import Poisson
from gramian.textbook.exponential_families.natural_form import NaturalForm

_REAL_LINE = (-math.inf, math.inf)
_UNDERFLOW = 700.0  # exp(-_UNDERFLOW) is about the smallest float


def _as_column(x: Floats) -> Floats:
    return np.asarray(x, dtype=np.float64)[:, None]


def bernoulli_form() -> NaturalForm:
    """Return the Bernoulli family in natural form."""
    return binomial_form(1, Bernoulli)


def binomial_form(n: int, family: type[Distribution] = Binomial) -> NaturalForm:
    """Return the binomial family in natural form."""

    def member(eta: FloatVector) -> Distribution:
        p = float(special.expit(eta[0]))
        return Bernoulli(p) if family is Bernoulli else Binomial(n, p)

    def second(eta: FloatVector) -> Floats:
        return np.array([[n * special.expit(eta[0]) * special.expit(-eta[0])]])

    def log_density(x: Floats, eta: FloatVector) -> Floats:
        inside = is_count(x) & (x <= n)
        count = np.where(inside, x, 0.0)
        if abs(eta[0]) > _UNDERFLOW:
            value = log_choose(count, n - count) + count * eta[0] - n * np.logaddexp(0.0, eta[0])
        else:
            p, q = special.expit(eta[0]), special.expit(-eta[0])
            value = log_binomial(count, n - count, p, q)
        return np.where(inside, value, -np.inf)

    return NaturalForm(
        _as_column,
        lambda eta: float(n * np.logaddexp(0.0, eta[0])),
        [_REAL_LINE],
        lambda x: log_choose(x, n - x),
        lambda eta: n * special.expit(eta),
        second,
        lambda held: special.logit(held.p),
        member,
        log_density,
    )


def categorical_form(n_categories: int) -> NaturalForm:
    """Return the categorical family in natural form."""
    K = n_categories
    return _of_categories(
        K,
        1,
        lambda x: np.eye(K)[np.asarray(x, dtype=np.intp)][:, :-1],
        None,
        lambda p: Categorical(p),
    )


def multinomial_form(n: int, n_categories: int) -> NaturalForm:
    """Return the multinomial family in natural form."""
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
    """Return the form of n draws of K categories; eta are the log odds against the last."""

    def probabilities(eta: FloatVector) -> Floats:
        return np.asarray(special.softmax(np.append(eta, 0.0)))

    def second(eta: FloatVector) -> Floats:
        p = probabilities(eta)[:-1]
        return np.asarray(n * (np.diag(p) - np.outer(p, p)))

    def normalizer(eta: FloatVector) -> float:
        return n * float(special.logsumexp(np.append(eta, 0.0)))

    def log_density(x: Floats, eta: FloatVector) -> Floats:
        if np.ptp(np.append(eta, 0.0)) <= _UNDERFLOW:
            return np.asarray(from_probabilities(probabilities(eta)).log_prob(x))
        base = 0.0 if log_base is None else log_base(x)
        return np.asarray(base + statistic(x) @ eta - normalizer(eta))

    return NaturalForm(
        statistic,
        normalizer,
        [_REAL_LINE] * (K - 1),
        log_base,
        lambda eta: n * probabilities(eta)[:-1],
        second,
        lambda held: np.log(held.probabilities[:-1]) - np.log(held.probabilities[-1]),
        lambda eta: from_probabilities(probabilities(eta)),
        log_density,
    )


def poisson_form() -> NaturalForm:
    """Return the Poisson family in natural form."""

    def log_density(x: Floats, eta: FloatVector) -> Floats:
        inside = is_count(x)
        value = log_poisson(np.where(inside, x, 0.0), np.exp(eta[0]), lambda: eta[0])
        return np.where(inside, value, -np.inf)

    return NaturalForm(
        _as_column,
        lambda eta: float(np.exp(eta[0])),
        [(-math.inf, 700.0)],
        lambda x: -special.gammaln(x + 1),
        np.exp,
        lambda eta: np.exp(eta)[:, None],
        lambda held: math.log(held.rate),
        lambda eta: Poisson(math.exp(eta[0])),
        log_density,
    )


def negative_binomial_form(r: float) -> NaturalForm:
    """Return the negative binomial family in natural form."""

    def first(eta: FloatVector) -> Floats:
        return r / np.expm1(-eta)

    def log_density(x: Floats, eta: FloatVector) -> Floats:
        inside = is_count(x)
        count, q = np.where(inside, x, 0.0), np.exp(eta[0])
        if eta[0] < -_UNDERFLOW:
            value = log_gamma_step(r, count) - special.gammaln(count + 1) + count * eta[0]
        else:
            value = log_negative_binomial(count, r, -np.expm1(eta[0]), q)
        return np.where(inside, value, -np.inf)

    return NaturalForm(
        _as_column,
        lambda eta: float(-r * np.log(-np.expm1(eta[0]))),
        [(-math.inf, 0.0)],
        lambda x: log_gamma_step(r, x) - special.gammaln(x + 1),
        first,
        lambda eta: (first(eta) / -np.expm1(eta))[:, None],
        lambda held: math.log1p(-held.p),
        lambda eta: NegativeBinomial(r, -math.expm1(eta[0])),
        log_density,
    )
