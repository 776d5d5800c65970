import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.textbook.estimation import grid_posterior


def coin(p):
    return 8 * np.log(p) + 2 * np.log1p(-p)


@pytest.mark.parametrize("grid", [(0.0, 1.0), np.linspace(0, 1, 1001)])
def test_a_coin_has_a_beta_posterior(grid):
    found = grid_posterior(coin, {"p": grid}, prior=stats.beta(2, 2))
    exact = stats.beta(10, 4)
    assert found.mean[0] == pytest.approx(exact.mean(), rel=1e-6)
    assert found.covariance[0, 0] == pytest.approx(exact.var(), rel=1e-5)
    assert found.mode[0] == pytest.approx(9 / 12, abs=1e-2)
    assert_allclose(found.density, exact.pdf(found.points[0]), rtol=1e-5, atol=1e-12)
    assert_allclose(found.credible_interval(0.9), exact.interval(0.9), atol=1e-5)
    assert found.credible_mass(0.5, 0.8) == pytest.approx(exact.cdf(0.8) - exact.cdf(0.5), abs=1e-5)
    # the evidence of a normalised prior: B(10, 4) / B(2, 2), without the coefficient
    from scipy.special import betaln

    assert found.log_evidence == pytest.approx(betaln(10, 4) - betaln(2, 2), abs=1e-6)


def test_observations_are_summed_in_blocks(monkeypatch):
    x = np.random.default_rng(0).exponential(2.0, size=300)
    density = lambda x, rate: np.log(rate) - rate * x  # noqa: E731
    whole = grid_posterior(density, {"rate": (0.01, 3.0)}, data=x)
    monkeypatch.setattr(sys.modules[grid_posterior.__module__], "_BLOCK", 1000)
    parts = grid_posterior(density, {"rate": (0.01, 3.0)}, data=x)
    assert_allclose(parts.log_density, whole.log_density, rtol=1e-10)
    exact = stats.gamma(301, scale=1 / x.sum())
    assert whole.mean[0] == pytest.approx(exact.mean(), rel=1e-8)


def test_two_parameters():
    """Mean and variance of a normal sample, against the normal-inverse-gamma posterior."""
    x = np.random.default_rng(0).normal(3.0, 2.0, size=40)

    def density(x, mean, variance):
        return -0.5 * ((x - mean) ** 2 / variance + np.log(2 * np.pi * variance))

    found = grid_posterior(
        density,
        {"mean": (-2.0, 8.0), "variance": (0.2, 60.0)},
        data=x,
        prior=lambda mean, variance: -2 * np.log(variance) + 0 * mean,
        resolution=150,
    )
    # p(variance | x) = inverse gamma((n - 1) / 2 + 1, S / 2) with the flat prior of the mean
    variance = stats.invgamma((len(x) - 1) / 2 + 1, scale=x.var() * len(x) / 2)
    assert_allclose(found.mean, [x.mean(), variance.mean()], rtol=1e-6)
    assert_allclose(found.covariance[1, 1], variance.var(), rtol=1e-4)
    low, high = found.credible_interval(0.9, "variance")
    assert_allclose([low, high], variance.interval(0.9), rtol=1e-3)


def test_empty_data_leave_the_prior():
    found = grid_posterior(
        lambda x, p: np.log(p), {"p": (0.0, 1.0)}, data=[], prior=stats.beta(3, 2)
    )
    assert found.mean[0] == pytest.approx(0.6)
    assert found.log_evidence == pytest.approx(0, abs=1e-9)


def test_impossible_points_have_density_zero():
    found = grid_posterior(
        lambda p: 2 * np.log(p), {"p": np.linspace(-1, 1, 401)}
    )  # NaN below 0, -inf at 0
    assert found.density[:201].max() == 0
    assert found.mean[0] == pytest.approx(0.75, abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"parameters": {}}, "one or two parameters"),
        ({"parameters": {"a": (0, 1), "b": (0, 1), "c": (0, 1)}}, "maximum_a_posteriori for more"),
        ({"parameters": {"p": [0, 2, 1]}}, "must increase"),
        ({"parameters": {"p": [0.5]}}, "at least 2"),
        ({"resolution": 1}, "resolution"),
        ({"likelihood": 3}, "likelihood must be a function"),
        ({"likelihood": lambda p: np.ones(3)}, "one number for each point"),
        ({"likelihood": lambda p: -np.inf + 0 * p}, "impossible at every point"),
        ({"likelihood": lambda p: np.inf + 0 * p}, "infinite at a point"),
        ({"prior": 3}, "prior must be"),
        ({"n": 3}, "belong to a distribution"),
        ({"likelihood": lambda x, p: 1.0, "data": [1.0, 2.0]}, "for each observation"),
        (
            {"parameters": {"a": (0, 1), "b": (0, 1)}, "prior": stats.norm(), "likelihood": min},
            "function of both",
        ),
    ],
)
def test_bad_input(arguments, match):
    settings = {"likelihood": coin, "parameters": {"p": (0.0, 1.0)}} | arguments
    if settings["likelihood"] is min:
        settings["likelihood"] = lambda a, b: a + b
    with pytest.raises((DataError, ParameterError), match=match):
        grid_posterior(**settings)
