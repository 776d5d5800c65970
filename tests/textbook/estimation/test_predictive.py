import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.distributions import (
    Beta,
    Binomial,
    Dirichlet,
    Exponential,
    Gamma,
    Gaussian,
    InverseGamma,
    InverseWishart,
    Multinomial,
    MultivariateGaussian,
    NormalInverseWishart,
    Poisson,
)
from gramian.textbook.estimation import expectation, grid_posterior, posterior, predictive


def test_worked_number_t31_predictive():
    """Beta(2, 2) after 8 ones and 2 zeros: the next is a one with probability 10/14."""
    assert predictive(posterior(Beta(2, 2), [1] * 8 + [0] * 2)).p == pytest.approx(10 / 14)


def test_counts_smooth_the_proportions():
    found = predictive(posterior(Dirichlet([1, 2, 1]), [0, 0, 2]))
    assert_allclose(found.probabilities, np.array([3, 2, 2]) / 7)


@pytest.mark.parametrize(
    ("belief", "likelihood", "known", "x", "at"),
    [
        (Beta(2, 3), Binomial, {"n": 5}, 3, lambda t: stats.binom.pmf(3, 5, t)),
        (Gamma(2, 3), Poisson, {}, 2, lambda t: stats.poisson.pmf(2, t)),
        (Gamma(2, 3), Exponential, {}, 0.7, lambda t: t * np.exp(-0.7 * t)),
        (Gaussian(1, 2), None, {"variance": 3.0}, 0.5, lambda t: stats.norm.pdf(0.5, t, 3.0**0.5)),
        (
            InverseGamma(3, 2),
            None,
            {"mean": 1.0},
            0.2,
            lambda t: stats.norm.pdf(0.2, 1.0, np.sqrt(t)),
        ),
    ],
)
def test_it_is_the_likelihood_averaged_over_the_belief(belief, likelihood, known, x, at):
    found = predictive(belief, likelihood, **known)
    density = found.prob(x) if hasattr(found, "prob") else found.pdf(x)
    average = expectation(at, belief)
    assert density == pytest.approx(average.value, rel=1e-7)


def test_vectors_by_sampling():
    cov = [[2.0, 0.5], [0.5, 1.0]]
    x = np.array([0.3, -0.5])
    belief = NormalInverseWishart([0, 1], 2.0, 6.0, cov)
    means, covs = belief.sample(500, random_state=0)
    drawn = [MultivariateGaussian(m, S).prob(x) for m, S in zip(means, covs, strict=True)]
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert abs(predictive(belief).prob(x) - np.mean(drawn)) < 4 * error
    wide = predictive(MultivariateGaussian([0, 1], np.eye(2)), covariance=cov)
    assert_allclose(wide.covariance, np.eye(2) + cov)
    many = predictive(Dirichlet([1, 2, 3]), Multinomial, n=4)
    assert_allclose(many.mean, 4 * np.array([1, 2, 3]) / 6)


def test_the_plug_in_density_is_narrower():
    belief = posterior(Gaussian(0.0, 1.0), [1.0, 2.0], variance=1.0)
    full = predictive(belief, variance=1.0)
    assert full.variance == pytest.approx(1.0 + belief.variance)
    grid = grid_posterior(belief.log_prob, {"mean": (-8.0, 10.0)})
    x = np.linspace(-2, 4, 5)
    found = grid.predictive(lambda x, m: np.exp(-0.5 * (x - m) ** 2) / np.sqrt(2 * np.pi), x)
    assert_allclose(found, full.prob(x), rtol=1e-8)


def test_bad_input():
    with pytest.raises(ParameterError, match="needs the known parameter variance"):
        predictive(Gaussian())
    with pytest.raises(ParameterError, match="no closed form"):
        predictive(Gamma(2.0, 3.0))
    with pytest.raises(ParameterError, match="not used here"):
        predictive(Beta(1, 1), n=3)


def test_covariance_unknown_and_mean_known():
    """The integral of N(x; 0, S) over an inverse Wishart S, by Monte Carlo."""
    belief = InverseWishart(7, [[2.0, 0.5], [0.5, 1.0]])
    x = np.array([0.3, -0.6])
    S = belief.sample(40000, random_state=0)
    densities = np.exp(-0.5 * np.einsum("i,nij,j->n", x, np.linalg.inv(S), x))
    densities /= 2 * np.pi * np.sqrt(np.linalg.det(S))
    error = densities.std() / 200
    assert abs(predictive(belief, mean=[0, 0]).prob(x) - densities.mean()) < 4 * error


def test_noise_is_checked():
    with pytest.raises(ParameterError, match=r"variance must be a number in \[0, inf\)"):
        predictive(Gaussian(0, 1), variance=-0.5)
