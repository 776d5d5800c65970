import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian import LinearRegression, LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Gamma
from gramian.textbook.estimation import (
    maximum_a_posteriori,
    maximum_likelihood,
    total_log_likelihood,
)

WAITS = [1.0, 2.0, 3.0]


def exponential(x, rate):
    return np.log(rate) - rate * x


def test_worked_number_t2():
    """Eight heads in ten tosses: L(p) = 45 p^8 (1 - p)^2 has its maximum 0.30199 at 0.8."""
    coin = lambda p: stats.binom(10, p).logpmf(8)  # noqa: E731
    found = maximum_likelihood(coin, 0.5, bounds=[(0, 1)])
    assert found.x[0] == pytest.approx(0.8, abs=1e-6)
    assert np.exp(found.log_value) == pytest.approx(0.30199, abs=5e-6)
    assert found.standard_errors[0] == pytest.approx(np.sqrt(0.8 * 0.2 / 10), rel=1e-3)


def test_worked_number_t3():
    """Exponential with the prior e^-theta: n / (sum x + 1) = 3/7, maximum likelihood 1/2."""
    bounds = [(0, None)]
    assert maximum_likelihood(exponential, 1.0, data=WAITS, bounds=bounds).x[0] == pytest.approx(
        0.5, abs=1e-6
    )
    found = maximum_a_posteriori(exponential, lambda rate: -rate, 1.0, data=WAITS, bounds=bounds)
    assert found.x[0] == pytest.approx(3 / 7, abs=1e-6)


def test_a_flat_prior_gives_maximum_likelihood_and_data_outweigh_any_other():
    x = np.random.default_rng(0).exponential(2.0, size=4000)
    bounds = [(0, None)]
    gaps = []
    for n in (5, 50, 4000):
        plain = maximum_likelihood(exponential, 1.0, data=x[:n], bounds=bounds).x[0]
        flat = maximum_a_posteriori(exponential, None, 1.0, data=x[:n], bounds=bounds).x[0]
        assert flat == plain
        prior = stats.gamma(5, scale=2)
        gaps.append(
            abs(
                maximum_a_posteriori(exponential, prior, 1.0, data=x[:n], bounds=bounds).x[0]
                - plain
            )
        )
    assert gaps[0] > 10 * gaps[1] > 100 * gaps[2] / 10


def test_several_parameters_and_their_covariance():
    x = np.random.default_rng(1).normal(3, 2, size=500)

    def normal(x, mean, variance):
        return -0.5 * ((x - mean) ** 2 / variance + np.log(2 * np.pi * variance))

    found = maximum_likelihood(normal, [0.0, 1.0], data=x, bounds=[(None, None), (0, None)])
    assert_allclose(found.x, [x.mean(), x.var()], rtol=1e-5)
    exact = np.diag([x.var() / 500, 2 * x.var() ** 2 / 500])
    assert_allclose(found.covariance, exact, rtol=1e-3, atol=1e-6)
    assert found.log_value == pytest.approx(
        total_log_likelihood(stats.norm(x.mean(), x.std()), x), rel=1e-9
    )


def test_least_squares_is_the_maximum_likelihood_of_gaussian_noise():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 2))
    y = X @ [1.5, -2.0] + 0.7 + rng.normal(size=60)

    def likelihood(a, b, c):
        return -0.5 * ((y - X @ [a, b] - c) ** 2).sum() / 0.3  # any variance: it cancels

    model = LinearRegression().fit(X, y)
    found = maximum_likelihood(likelihood, [0.0, 0.0, 0.0])
    assert_allclose(found.x, [*model.coef_, model.intercept_], atol=1e-5)


def test_logistic_loss_is_the_bernoulli_likelihood():
    """Each row as beta copies, a share y of them positive: beta cancels."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 1))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)

    def likelihood(w, b, beta=7.0):
        z = w * X[:, 0] + b
        return beta * (y * z - np.logaddexp(0, z)).sum()

    model = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    found = maximum_likelihood(likelihood, [0.0, 0.0])
    assert_allclose(found.x, [model.coef_[0, 0], model.intercept_[0]], atol=1e-4)


def test_a_maximum_on_a_bound_has_no_covariance():
    found = maximum_likelihood(lambda p: 5 * np.log(p), 0.5, bounds=[(0, 1)])
    assert found.x[0] == pytest.approx(1, abs=1e-4)


def test_the_log_likelihood_of_distributions_and_functions():
    assert total_log_likelihood(stats.poisson(2.0), [0, 1, 2]) == pytest.approx(
        stats.poisson(2.0).logpmf([0, 1, 2]).sum()
    )
    assert total_log_likelihood(exponential, WAITS, 0.5) == pytest.approx(3 * np.log(0.5) - 3)
    assert total_log_likelihood(exponential, [], 0.5) == 0


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: maximum_likelihood(exponential, -1.0, data=WAITS), "finite at start"),
        (
            lambda: maximum_likelihood(exponential, -1.0, data=WAITS, bounds=[(0, None)]),
            "inside the bounds",
        ),
        (lambda: maximum_likelihood(lambda t: np.ones(3), 1.0), "one number"),
        (lambda: total_log_likelihood(3, WAITS), "must be a function"),
    ],
)
def test_bad_input(call, match):
    with pytest.raises((DataError, ParameterError), match=match):
        call()


def test_a_distribution_class_is_a_likelihood():
    """The numeric maximum is the family's own fit; outside its parameters nothing is possible."""
    x = [1.0, 2.0, 6.0]
    found = maximum_likelihood(Gamma, [1.0, 1.0], data=x)
    fitted = Gamma.fit(x)
    assert_allclose(found.x, [fitted.shape, fitted.rate], rtol=1e-5)
    with pytest.raises(ParameterError, match=r"Gamma without data"):
        maximum_likelihood(Gamma, [1.0, 1.0])
