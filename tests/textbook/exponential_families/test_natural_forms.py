"""The package's families in natural form."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    ChiSquared,
    Dirichlet,
    Exponential,
    Gamma,
    Gaussian,
    InverseGamma,
    Multinomial,
    NegativeBinomial,
    Poisson,
    StudentT,
)
from gramian.textbook.exponential_families import natural_form
from tests.distributions.cases import name

MEMBERS = [
    (Bernoulli(0.3), {}),
    (Binomial(7, 0.3), {"n": 7}),
    (Categorical([0.2, 0.5, 0.3]), {"n_categories": 3}),
    (Multinomial(4, [0.2, 0.5, 0.3]), {"n": 4, "n_categories": 3}),
    (NegativeBinomial(2.5, 0.3), {"r": 2.5}),
    (Poisson(3.5), {}),
    (Exponential(2.5), {}),
    (Gamma(2.5, 3.0), {}),
    (InverseGamma(5.5, 3.0), {}),
    (ChiSquared(3.0), {}),
    (Beta(2.0, 3.5), {}),
    (Dirichlet([0.8, 3.0, 1.5]), {"n_categories": 3}),
    (Gaussian(1.0, 4.0), {}),
]


@pytest.mark.parametrize(("member", "known"), MEMBERS, ids=name)
def test_the_natural_form_is_the_same_density(member, known):
    form = natural_form(type(member), **known)
    x = member.sample(20, random_state=0)
    eta = form.natural_parameter(member)
    assert_allclose(form.log_prob(x, eta), member.log_prob(x), rtol=1e-10, atol=1e-12)
    back = form.member(eta)
    assert_allclose(back.log_prob(x), member.log_prob(x), rtol=1e-9)


@pytest.mark.parametrize(("member", "known"), MEMBERS, ids=name)
def test_derivatives_are_mean_and_covariance_of_the_statistic(member, known):
    """E u = grad A = -grad log g; the gradient of A integrates h exp(eta'u) u."""
    form = natural_form(type(member), **known)
    eta = form.natural_parameter(member)
    h = 1e-5
    for k in range(len(eta)):
        move = np.eye(len(eta))[k] * h
        slope = (form.log_normalizer(eta + move) - form.log_normalizer(eta - move)) / (2 * h)
        assert form.expected_statistic(eta)[k] == pytest.approx(slope, rel=1e-6, abs=1e-8)
        bend = (form.expected_statistic(eta + move) - form.expected_statistic(eta - move)) / (2 * h)
        assert_allclose(form.covariance_of_statistic(eta)[k], bend, rtol=1e-5, atol=1e-8)
    u = form.statistic(np.asarray(member.sample(40000, random_state=1), dtype=float))
    spread = np.sqrt(np.diag(form.covariance_of_statistic(eta)) / 40000)
    assert (np.abs(u.mean(axis=0) - form.expected_statistic(eta)) < 5 * spread).all()


@pytest.mark.parametrize(("member", "known"), MEMBERS, ids=name)
def test_the_moment_equation_gives_the_family_s_own_fit(member, known):
    cls = type(member)
    form = natural_form(cls, **known)
    data = member.sample(200, random_state=2)
    weights = np.random.default_rng(0).random(200)
    fitted = form.member(form.maximum_likelihood(data, weights))
    free = ("n_categories",) if cls in (Dirichlet, Multinomial) else ()  # seen in the data
    fixed = {key: value for key, value in known.items() if key not in free}
    own = cls.fit(data, weights, **fixed)
    assert weights @ fitted.log_prob(data) == pytest.approx(weights @ own.log_prob(data), rel=1e-9)
    assert_allclose(fitted.mean, own.mean, rtol=1e-6)


def test_families_without_a_natural_form_are_refused():
    with pytest.raises(ParameterError, match="got StudentT"):
        natural_form(StudentT)


def test_the_conjugate_prior_of_a_normal_is_normalised():
    """Two parameters: the integral of the density over a grid is 1."""
    prior = natural_form(Exponential).conjugate(2.0, 3.0)
    eta = -np.exp(np.linspace(-12, 6, 4001))
    density = np.exp([prior.log_prob([e]) for e in eta[::40]])
    assert np.trapezoid(density * -eta[::40], np.log(-eta[::40])) == pytest.approx(1, rel=1e-6)
    with pytest.raises(DataError, match="one or two parameters"):
        natural_form(Dirichlet, n_categories=3).conjugate([-1.0, -1.2, -1.5], 2.0).log_normalizer()
