"""Densities, quantiles and moments against SciPy, quadrature and sums."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad

from gramian.distributions import (
    Bernoulli,
    Beta,
    BetaBinomial,
    Binomial,
    Categorical,
    ChiSquared,
    Dirichlet,
    Exponential,
    Gamma,
    Gaussian,
    InverseGamma,
    MultivariateStudentT,
    NegativeBinomial,
    Poisson,
    StudentT,
    Uniform,
)
from tests.distributions.cases import SCALAR, name

pytestmark = pytest.mark.numeric

LEVELS = np.array([1e-300, 1e-100, 1e-20, 1e-5, 0.01, 0.3, 0.5, 0.9, 0.999])
# Where SciPy gives NaN; the tails are tested against more digits in the family's own file.
HAS_TAILS = {"Beta": 1e-20, "StudentT": 1e-100}


@pytest.mark.parametrize(("ours", "theirs"), SCALAR, ids=name)
def test_log_prob_agrees_with_scipy_out_to_40_sigma(ours, theirs):
    steps = np.array([-40, -5, -1, -0.1, 0, 0.5, 1, 5, 40])
    x = np.append(theirs.mean() + theirs.std() * steps, theirs.ppf([0.001, 0.5, 0.9999]))
    if ours.discrete:
        x = np.floor(x)
    expected = theirs.logpmf(x) if ours.discrete else theirs.logpdf(x)
    assert_allclose(ours.log_prob(x), expected, rtol=1e-10, atol=1e-13)
    assert_allclose(ours.prob(x), np.exp(expected), rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize(("ours", "theirs"), SCALAR, ids=name)
def test_cdf_and_quantiles_agree_with_scipy(ours, theirs):
    q = LEVELS[HAS_TAILS.get(type(ours).__name__, 0) <= LEVELS]
    x = theirs.ppf(q)
    expected = np.maximum(x, 0) if ours.discrete else x
    assert_allclose(ours.quantile(q), expected, rtol=1e-10)
    assert_allclose(ours.cdf(x), theirs.cdf(x), rtol=1e-10, atol=1e-300)
    assert np.isnan(ours.quantile([-0.1, 1.5, np.nan])).all()


@pytest.mark.parametrize(("ours", "theirs"), SCALAR, ids=name)
def test_moments_and_entropy_agree_with_scipy(ours, theirs):
    assert_allclose(ours.mean, theirs.mean(), rtol=1e-10)
    assert_allclose(ours.variance, theirs.var(), rtol=1e-10)
    assert_allclose(ours.entropy(), theirs.entropy(), rtol=1e-10)
    assert_allclose(ours.entropy(base=2), theirs.entropy() / np.log(2), rtol=1e-10)


def times(density, value):
    """Their product, 0 where the density is."""
    return 0.0 if density == 0 else density * value


def expectation(distribution, function):
    """E f(X) by a sum, or by quadrature between quantiles."""
    if distribution.discrete:
        x = np.arange(distribution.quantile(1 - 1e-16) + 200)
        return float((distribution.prob(x) * function(x)).sum())
    inner = distribution.quantile([1e-12, 1e-4, 0.1, 0.5, 0.9, 1 - 1e-4, 1 - 1e-12])
    low, high = distribution.quantile([0.0, 1.0])
    far = (
        [inner[-1] + k * (inner[-1] - inner[0]) for k in (0.5, 2, 10, 1000)]
        if high == np.inf
        else []
    )
    cuts = np.array([low, *inner, *far, high])
    if low == 0:  # the density may be infinite there; x = exp(y)
        cuts = np.log(np.maximum(cuts, inner[0] * 1e-10))
        integrand = lambda y: np.exp(y) * times(distribution.prob(np.exp(y)), function(np.exp(y)))  # noqa: E731
        cuts = cuts[np.isfinite(cuts)]
    else:
        integrand = lambda x: times(distribution.prob(x), function(x))  # noqa: E731
    with np.errstate(over="ignore", invalid="ignore"):  # exp(t x) where the density is 0
        return sum(quad(integrand, a, b, epsabs=1e-14, limit=200)[0] for a, b in pairwise(cuts))


@pytest.mark.parametrize("ours", [case[0] for case in SCALAR], ids=name)
def test_moments_match_the_density(ours):
    assert expectation(ours, np.ones_like) == pytest.approx(1, rel=1e-8)
    assert expectation(ours, lambda x: x) == pytest.approx(ours.mean, rel=1e-7)
    variance = expectation(ours, lambda x: (x - ours.mean) ** 2)
    assert variance == pytest.approx(ours.variance, rel=1e-6)


@pytest.mark.parametrize("ours", [case[0] for case in SCALAR], ids=name)
@pytest.mark.parametrize("t", [-0.7, 0.15])
def test_moment_generating_function_agrees_with_the_density(ours, t):
    if not np.isfinite(ours.mgf(t)):
        assert type(ours).__name__ in {"InverseGamma", "StudentT"}
        return
    assert expectation(ours, lambda x: np.exp(t * x)) == pytest.approx(float(ours.mgf(t)), rel=1e-7)


@pytest.mark.parametrize("ours", [case[0] for case in SCALAR], ids=name)
def test_moment_generating_function_is_1_at_0(ours):
    assert ours.mgf(0.0) == pytest.approx(1.0)


@pytest.mark.parametrize("ours", [case[0] for case in SCALAR], ids=name)
def test_draws_have_the_distribution(ours):
    x = ours.sample(20000, random_state=3)
    assert x.shape == (20000,)
    below = np.array([(x <= at).mean() for at in ours.quantile([0.1, 0.35, 0.6, 0.9])])
    expected = ours.cdf(ours.quantile([0.1, 0.35, 0.6, 0.9]))
    assert_allclose(below, expected, atol=4.5 / np.sqrt(20000) / 2)
    assert np.shape(ours.sample(random_state=0)) == ()
    assert ours.sample(0).shape == (0,)
    assert np.array_equal(ours.sample(5, 1), ours.sample(5, 1))


@pytest.mark.parametrize(
    ("distribution", "entropy"),
    [  # mpmath, 50 digits
        (Gamma(1e10, 3.0), 11.833251709473458),
        (InverseGamma(1e10, 3.0), -32.02122557297124),
        (ChiSquared(1e10), 13.278437588388208),
        (StudentT(1e10), 1.4189385333046727),
        (Beta(1e10, 1e9), -11.388244748259975),
        (MultivariateStudentT(1e12, [0.0, 0.0], np.eye(2)), 2.8378770664113455),
        (Poisson(1e-10), 2.4025850929975114e-09),
    ],
    ids=name,
)
def test_entropy_at_extreme_parameters(distribution, entropy):
    assert distribution.entropy() == pytest.approx(entropy, rel=1e-12)


@pytest.mark.parametrize(
    "distribution",
    [
        Bernoulli(0.3),
        Binomial(10, 0.3),
        Poisson(3.3),
        NegativeBinomial(2.5, 0.1),
        BetaBinomial(20, 0.5, 2.0),
        Categorical([0.2, 0.8]),
        Gaussian(),
        Gamma(2.0),
        InverseGamma(2.0),
        Beta(2.0, 3.0),
        Exponential(),
        ChiSquared(3.0),
        StudentT(3.0),
        Uniform(),
    ],
    ids=name,
)
def test_moment_generating_function_far_from_zero(distribution):
    """exp(1e5) overflows; nothing becomes NaN but NaN."""
    low, high, missing = distribution.mgf([-1e5, 1e5, np.nan])
    assert np.isnan(missing)
    assert high == np.inf
    assert low >= 0


def test_moment_generating_functions_of_bounded_variables_far_below_zero():
    """About p(0) / |t| for the uniform, Gamma(a + b) / Gamma(b) |t|^-a for the beta."""
    assert Uniform(0, 1).mgf(-1e5) == pytest.approx(1e-5, rel=1e-12)
    assert Uniform(-1, 3).mgf(1e-9) == pytest.approx(1.0, rel=1e-8)
    assert Beta(2, 3).mgf(-1e5) == pytest.approx(1.19995200072e-9, rel=1e-10)
    assert np.isnan(Dirichlet([1.0, 2.0]).mgf([np.nan, 0.0]))
