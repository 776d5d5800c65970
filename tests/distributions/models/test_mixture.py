"""Mixtures."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Bernoulli, Gaussian, Mixture, MultivariateGaussian, Poisson

TWO = Mixture([0.3, 0.7], [Gaussian(-1, 1), Gaussian(2, 0.25)])


def test_density_moments_and_quantiles():
    x = np.linspace(-3, 4, 9)
    density = 0.3 * Gaussian(-1, 1).prob(x) + 0.7 * Gaussian(2, 0.25).prob(x)
    assert_allclose(TWO.prob(x), density)
    assert TWO.mean == pytest.approx(1.1)
    second = quad(lambda v: v * v * TWO.prob(v), -20, 20, points=[-1, 2])[0]
    assert TWO.variance == pytest.approx(second - 1.1**2)
    q = np.array([0.0, 1e-9, 0.1, 0.5, 0.99, 1.0])
    assert_allclose(TWO.cdf(TWO.quantile(q)), q, atol=1e-12)
    assert TWO.mgf(0.5) == pytest.approx(
        0.3 * Gaussian(-1, 1).mgf(0.5) + 0.7 * Gaussian(2, 0.25).mgf(0.5)
    )


def test_posterior_of_the_components():
    post = TWO.posterior([-5.0, 2.0])
    assert_allclose(post.sum(axis=1), 1)
    assert post[0, 0] == pytest.approx(1)
    near, wide = 0.7 * Gaussian(2, 0.25).prob(2.0), 0.3 * Gaussian(-1, 1).prob(2.0)
    assert post[1, 1] == pytest.approx(near / (near + wide))


def test_quantile_of_counts():
    counts = Mixture([0.5, 0.5], [Poisson(2), Poisson(9)])
    for q in (0.01, 0.3, 0.5, 0.77):
        x = counts.quantile(q)
        assert counts.cdf(x) >= q > counts.cdf(x - 1)


def test_covariance_within_and_between():
    mixed = Mixture(
        [0.5, 0.5],
        [MultivariateGaussian.isotropic([0, 0], 1), MultivariateGaussian.isotropic([2, 0], 1)],
    )
    assert_allclose(mixed.covariance, [[2, 0], [0, 1]])
    drawn = mixed.sample(20000, random_state=0)
    assert_allclose(np.cov(drawn.T), mixed.covariance, atol=0.08)


def test_em_raises_the_likelihood_to_a_maximum():
    x = TWO.sample(3000, random_state=1)
    start = Mixture([0.5, 0.5], [Gaussian(-3, 4), Gaussian(3, 4)])
    fitted = Mixture.fit(x, start=start)
    assert fitted.log_prob(x).mean() >= TWO.log_prob(x).mean()
    assert_allclose(fitted.weights, TWO.weights, atol=0.04)
    assert fitted.components[1].mean == pytest.approx(2, abs=0.06)
    twice = Mixture.fit(np.repeat(x[:200], 2), start=start)
    weighted = Mixture.fit(x[:200], np.full(200, 2.0), start=start)
    assert_allclose(weighted.weights, twice.weights, rtol=1e-6)


def test_invalid_arguments_are_rejected():
    with pytest.raises(ParameterError, match="one entry per component"):
        Mixture([1.0], [Gaussian(), Gaussian()])
    with pytest.raises(ParameterError, match="same kind of event"):
        Mixture([0.5, 0.5], [Gaussian(), Poisson(1)])
    with pytest.raises(ParameterError, match="must be distributions"):
        Mixture([1.0], [3])
    with pytest.raises(ParameterError, match="start must be a Mixture"):
        Mixture.fit([1.0])
    with pytest.raises(DataError, match="row 1 has density 0"):
        Mixture.fit([1.0, 0.5], start=Mixture([1.0], [Poisson(1)]))


def test_entropy_of_numbers_lies_within_its_bounds():
    far = Mixture([0.25, 0.75], [Gaussian(-1e3, 1), Gaussian(1e3, 4)])
    low, high = far.entropy_bounds(2)
    assert far.entropy(2) == pytest.approx(high, rel=1e-12)  # nothing overlaps
    assert high - low == pytest.approx(Bernoulli(0.25).entropy(2))
    same = Mixture([0.5, 0.5, 0.0], [Gaussian(1, 2), Gaussian(1, 2), Gaussian(9, 1)])
    assert same.entropy() == pytest.approx(Gaussian(1, 2).entropy(), rel=1e-12)
    counts = Mixture([0.3, 0.7], [Poisson(2.0), Poisson(30.0)])
    share = counts.prob(np.arange(400))
    assert counts.entropy() == pytest.approx(-(share[share > 0] @ np.log(share[share > 0])))


def test_entropy_of_vectors_is_bounded():
    parts = [MultivariateGaussian([0, 0], np.eye(2)), MultivariateGaussian([1, 1], np.eye(2))]
    mixture = Mixture([0.5, 0.5], parts)
    with pytest.raises(NotImplementedError, match="entropy_bounds"):
        mixture.entropy()
    low, high = mixture.entropy_bounds()
    surprise = -mixture.log_prob(mixture.sample(4000, random_state=0))
    assert low < surprise.mean() < high


def test_entropy_of_counts_adds_up_blocks_and_names_its_limit():
    far = Mixture([0.25, 0.75], [Poisson(1e3), Poisson(3e6)])
    assert far.entropy() == pytest.approx(far.entropy_bounds()[1], rel=1e-12)
    with pytest.raises(ParameterError, match="entropy adds up at most 100000000 counts"):
        Mixture([0.5, 0.5], [Poisson(1e12), Poisson(3e12)]).entropy()
