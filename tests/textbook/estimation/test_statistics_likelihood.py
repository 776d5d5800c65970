import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Dirichlet,
    Exponential,
    Gamma,
    Gaussian,
    Poisson,
)
from gramian.textbook.estimation import grid_posterior
from gramian.textbook.estimation.statistics_likelihood import likelihood_of_statistics

RNG = np.random.default_rng(0)
CASES = [
    (Bernoulli, {"p": 0.3}, {}, RNG.integers(2, size=40)),
    (Binomial, {"p": 0.3}, {"n": 7}, RNG.integers(8, size=40)),
    (Poisson, {"rate": 2.5}, {}, RNG.poisson(3.0, size=40)),
    (Exponential, {"rate": 0.7}, {}, RNG.exponential(size=40)),
    (Gaussian, {"mean": 1.0, "variance": 4.0}, {}, RNG.normal(size=40) + 1e3),
    (Gamma, {"shape": 2.0, "rate": 0.5}, {}, RNG.gamma(2.0, size=40)),
    (Beta, {"a": 2.0, "b": 3.0}, {}, RNG.beta(2.0, 2.0, size=40)),
]


@pytest.mark.parametrize(("family", "theta", "known", "x"), CASES, ids=lambda c: str(c)[:12])
def test_sums_give_the_likelihood_of_all_observations(family, theta, known, x):
    arrays = {name: np.array([value, 1.01 * value]) for name, value in theta.items()}
    found = likelihood_of_statistics(family, x, arrays, known)
    for i in range(2):
        one = family(**known, **{name: value[i] for name, value in arrays.items()})
        assert_allclose(found[i], one.log_prob(x).sum(), rtol=1e-9)


@pytest.mark.parametrize(("family", "theta", "known", "x"), CASES, ids=lambda c: str(c)[:12])
def test_impossible_parameters_and_merged_statistics(family, theta, known, x):
    bad = {name: np.array([-1.0]) for name in theta}
    with np.errstate(all="ignore"):
        assert likelihood_of_statistics(family, x, bad, known) == -np.inf
    parts = family.sufficient_statistics(x[:9], **known) + family.sufficient_statistics(
        x[9:], **known
    )
    good = {name: np.array([value]) for name, value in theta.items()}
    whole = likelihood_of_statistics(family, x, good, known)
    assert_allclose(likelihood_of_statistics(family, parts, good, known), whole, rtol=1e-9)


def test_a_grid_of_statistics_equals_the_sum_over_observations():
    x = RNG.normal(3.0, 2.0, size=200)
    grid = {"mean": np.linspace(2, 4, 31), "variance": np.linspace(2, 8, 41)}
    quick = grid_posterior(Gaussian, grid, data=x)

    def density(x, mean, variance):
        return -0.5 * ((x - mean) ** 2 / variance + np.log(2 * np.pi * variance))

    slow = grid_posterior(density, grid, data=x)
    assert_allclose(quick.log_density, slow.log_density, rtol=1e-9, atol=1e-9)
    assert quick.log_evidence == pytest.approx(slow.log_evidence)


def test_no_data_leave_the_prior():
    found = grid_posterior(Bernoulli, {"p": (0.0, 1.0)}, data=[], prior=Beta(3, 2))
    assert found.mean[0] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"likelihood": Dirichlet, "data": [[0.5, 0.5]]}, "not available"),
        ({"likelihood": Gaussian, "data": [1.0]}, "has the parameters mean, variance"),
        ({"likelihood": Binomial, "data": [1.0]}, "has the parameters n, p"),
        ({"likelihood": Bernoulli}, "pass data"),
        ({"likelihood": Bernoulli, "data": [0, 2]}, r"row 1"),
    ],
)
def test_bad_input(arguments, match):
    with pytest.raises((DataError, ParameterError), match=match):
        grid_posterior(parameters={"p": (0.0, 1.0)}, **arguments)
