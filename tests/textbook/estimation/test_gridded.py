import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.textbook.estimation import grid_posterior


@pytest.fixture
def skewed():
    return grid_posterior(stats.gamma(3).logpdf, {"t": (0.0, 40.0)}, resolution=400)


@pytest.fixture
def plane():
    def log_density(a, b):
        return -0.5 * ((a - 1) ** 2 + (b - a) ** 2 / 0.25)

    return grid_posterior(log_density, {"a": (-6.0, 8.0), "b": (-7.0, 9.0)}, resolution=200)


def test_intervals_of_a_skewed_posterior(skewed):
    exact = stats.gamma(3)
    assert_allclose(skewed.credible_interval(0.8), exact.interval(0.8), rtol=1e-5)
    low, high = skewed.credible_interval(0.8, kind="highest-density")
    assert high - low < np.ptp(exact.interval(0.8))
    assert exact.pdf(low) == pytest.approx(exact.pdf(high), rel=0.05)
    assert exact.cdf(high) - exact.cdf(low) == pytest.approx(0.8, abs=1e-4)
    assert skewed.quantile(0.5) == pytest.approx(exact.median(), rel=1e-5)
    assert skewed.expectation(lambda t: t**2) == pytest.approx(12.0, rel=1e-9)


def test_marginals_and_covariance(plane):
    assert_allclose(plane.mean, [1, 1], rtol=1e-9)
    assert_allclose(plane.covariance, [[1, 1], [1, 1.25]], rtol=1e-8)
    b = plane.marginal("b")
    assert b.mean[0] == pytest.approx(1)
    assert b.covariance[0, 0] == pytest.approx(1.25)
    assert_allclose(b.density, stats.norm(1, np.sqrt(1.25)).pdf(b.points[0]), atol=1e-8)


def test_predictive_of_a_normal_mean():
    """Posterior N(1, 0.5) and noise 1: the predictive is N(1, 1.5)."""
    posterior = grid_posterior(stats.norm(1, np.sqrt(0.5)).logpdf, {"m": (-6.0, 8.0)})
    x = np.linspace(-2, 4, 7)
    found = posterior.predictive(lambda x, m: stats.norm.pdf(x, m, 1.0), x)
    assert_allclose(found, stats.norm(1, np.sqrt(1.5)).pdf(x), rtol=1e-9)
    plug_in = stats.norm(posterior.mode[0], 1.0).pdf(x)
    assert plug_in[3] > found[3]  # the plug-in density ignores what is not known of the mean


def test_draws_have_the_moments_of_the_posterior(plane):
    draws = plane.sample(20_000, random_state=0)
    assert draws.shape == (20_000, 2)
    assert_allclose(draws.mean(axis=0), [1, 1], atol=0.04)
    assert_allclose(np.cov(draws.T), [[1, 1], [1, 1.25]], atol=0.06)


def test_bad_input(skewed, plane):
    with pytest.raises(ParameterError, match="mass must be between"):
        skewed.credible_interval(1.0)
    with pytest.raises(ParameterError, match="kind must be"):
        skewed.credible_interval(0.5, kind="shortest")
    with pytest.raises(ParameterError, match="q must be in"):
        skewed.quantile(1.5)
    with pytest.raises(DataError, match="the parameters are"):
        plane.quantile(0.5)
