"""The estimates of the textbook, each against the numeric maximum of its likelihood."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Gaussian,
    GenerativeModel,
    Multinomial,
    MultivariateGaussian,
    Poisson,
)
from gramian.textbook.estimation import (
    estimator_error,
    maximum_likelihood,
    posterior,
    total_log_likelihood,
)
from gramian.textbook.exponential_families import natural_form

RNG = np.random.default_rng(0)


def test_a_coin_is_estimated_by_its_proportion_of_heads():
    """8 of 10: L(p) = 45 p^8 (1 - p)^2, p = 0.8 (worked number T2)."""
    assert Bernoulli.fit([1] * 8 + [0] * 2).p == pytest.approx(0.8)
    coin = Binomial.fit([8], n=10)
    assert coin.p == pytest.approx(0.8)
    assert coin.prob(8) == pytest.approx(0.30199, abs=5e-6)
    found = maximum_likelihood(
        lambda p: total_log_likelihood(Binomial(10, p), [8]), 0.5, bounds=[(0, 1)]
    )
    assert found.x[0] == pytest.approx(0.8, abs=1e-6)


def test_categories_are_estimated_by_their_proportions():
    x = [0, 2, 2, 1, 2]
    assert_allclose(Categorical.fit(x).probabilities, [0.2, 0.2, 0.6])
    counts = Multinomial.fit([[1, 1, 3]], n=5)
    assert_allclose(counts.probabilities, [0.2, 0.2, 0.6])
    found = maximum_likelihood(  # the third by the constraint that they sum to one
        lambda p, q: np.log(p) + np.log(q) + 3 * np.log(1 - p - q), [0.3, 0.3]
    )
    assert_allclose(found.x, [0.2, 0.2], atol=1e-5)


def test_a_normal_sample_by_its_mean_and_mean_square():
    x = RNG.normal(3, 2, size=50)
    fit = Gaussian.fit(x)
    assert (fit.mean, fit.variance) == pytest.approx((x.mean(), ((x - x.mean()) ** 2).mean()))
    found = maximum_likelihood(
        lambda m, v: total_log_likelihood(Gaussian(m, v), x),
        [0.0, 1.0],
        bounds=[(None, None), (0, None)],
    )
    assert_allclose(found.x, [fit.mean, fit.variance], rtol=1e-5)


def test_a_round_gaussian_by_the_mean_square_over_all_coordinates():
    X = RNG.normal([1, 2, 3], 2.0, size=(60, 3))
    sums = MultivariateGaussian.sufficient_statistics(X)
    variance = np.trace(sums.scatter) / (3 * sums.weight)
    fit = MultivariateGaussian.isotropic(sums.mean, variance)
    assert variance == pytest.approx(((X - X.mean(axis=0)) ** 2).sum() / (3 * 60))
    best = total_log_likelihood(fit, X)
    for factor in (0.98, 1.02):
        other = MultivariateGaussian.isotropic(sums.mean, factor * variance)
        assert total_log_likelihood(other, X) < best


def test_mean_and_covariance_of_vectors():
    X = RNG.multivariate_normal([1, 2], [[2, 1], [1, 3]], size=80)
    fit = MultivariateGaussian.fit(X)
    away = X - X.mean(axis=0)
    assert_allclose(fit.mean, X.mean(axis=0))
    assert_allclose(fit.covariance, away.T @ away / 80)
    best = total_log_likelihood(fit, X)
    for change in ([[0.05, 0], [0, 0]], [[0, 0.05], [0.05, 0]], [[0, 0], [0, -0.05]]):
        other = MultivariateGaussian(fit.mean, fit.covariance + np.array(change))
        assert total_log_likelihood(other, X) < best


def test_class_priors_are_class_proportions():
    y = np.array(["a", "b", "b", "b"])
    model = GenerativeModel.fit([0.0, 1.0, 2.0, 4.0], y, Poisson)
    assert_allclose(model.priors, [0.25, 0.75])


@pytest.mark.parametrize("family", [Bernoulli, Poisson, Gaussian])
def test_an_exponential_family_is_fitted_by_its_mean_statistic(family):
    """-grad ln g(eta) = (1/N) sum u(x_n): the sums are all that is stored."""
    x = {Bernoulli: [1, 0, 1, 1], Poisson: [2, 0, 5, 1], Gaussian: [1.0, 2.5, -0.5, 4.0]}[family]
    form = natural_form(family)
    eta = form.from_statistics(form.sufficient_statistics(x))
    fitted = family.fit(x)
    assert_allclose(form.natural_parameter(fitted), eta, rtol=1e-6)
    mean = form.sufficient_statistics(x).total / len(x)
    assert_allclose(form.expected_statistic(eta), mean, rtol=1e-6)


def test_the_conjugate_prior_of_an_exponential_family_counts_events():
    """nu + N events with the statistic nu chi + sum u: Beta(2, 2) after 8 ones and 2 zeros."""
    tosses = [1] * 8 + [0] * 2
    after = natural_form(Bernoulli).conjugate(0.5, 4).posterior(tosses)
    exact = posterior(Beta(2, 2), tosses)
    assert after.nu == exact.a + exact.b
    assert after.chi[0] == pytest.approx(exact.mean)


def test_sample_covariance_with_either_divisor():
    """Divided by N it is the maximum likelihood estimate, by N - 1 unbiased."""
    X = RNG.normal(size=(30, 2))
    assert_allclose(np.cov(X.T, bias=True), MultivariateGaussian.fit(X).covariance)
    assert_allclose(np.cov(X.T), MultivariateGaussian.fit(X).covariance * 30 / 29)
    draw = Gaussian(0.0, 1.0)
    unbiased = estimator_error(lambda x: np.var(x, ddof=1), draw, 1.0, n=4, random_state=0)
    assert abs(unbiased.bias) < 4 * unbiased.bias_standard_error
