import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Dirichlet, Gamma, Gaussian, InverseGamma, StudentT
from gramian.textbook.estimation import bayes_estimate, grid_posterior


def pinball(t, theta):
    return np.where(t > theta, 3 * (t - theta), theta - t)


@pytest.fixture(params=["grid", "distribution", "draws"])
def posterior(request):
    exact = stats.gamma(3)
    if request.param == "grid":
        return grid_posterior(exact.logpdf, {"t": (0.0, 40.0)}, resolution=600)
    return exact if request.param == "distribution" else exact.rvs(100_001, random_state=0)


def test_mean_median_and_quantiles(posterior):
    rough = 0.03 if isinstance(posterior, np.ndarray) else 2e-3
    exact = stats.gamma(3)
    assert bayes_estimate(posterior) == pytest.approx(3.0, abs=rough)
    assert bayes_estimate(posterior, "absolute") == pytest.approx(exact.median(), abs=rough)
    assert bayes_estimate(posterior, pinball) == pytest.approx(exact.ppf(0.25), abs=rough)


def test_zero_one_loss_gives_the_mode():
    assert bayes_estimate(stats.gamma(3), "zero-one") == pytest.approx(2, abs=1e-5)
    grid = grid_posterior(stats.gamma(3).logpdf, {"t": np.linspace(0, 30, 3001)})
    assert bayes_estimate(grid, "zero-one") == pytest.approx(2, abs=1e-2)
    with pytest.raises(DataError, match="draws have none"):
        bayes_estimate([1.0, 2.0], "zero-one")


def test_named_distributions_know_their_mean_median_and_mode():
    """A heavy tail holds a sixth of this mean beyond the last point of a fixed quadrature."""
    assert bayes_estimate(InverseGamma(1.2, 1.0)) == pytest.approx(5.0, rel=1e-14)
    assert bayes_estimate(stats.invgamma(1.2)) == pytest.approx(5.0, rel=1e-12)
    assert bayes_estimate(Gaussian(0.0, 1.0), "absolute") == 0
    assert bayes_estimate(stats.norm(), "absolute") == 0
    assert bayes_estimate(Gamma(3.0, 2.0), "zero-one") == 1
    assert bayes_estimate(Gaussian(4.0, 1.0), "zero-one") == pytest.approx(4.0, abs=1e-6)
    with pytest.raises(DataError, match="mean of the posterior is nan"):
        bayes_estimate(StudentT(1.0))


def test_two_parameters():
    grid = grid_posterior(
        lambda a, b: -((a - 1) ** 2) - (b + 2) ** 2, {"a": (-5.0, 7.0), "b": (-8.0, 4.0)}
    )
    assert_allclose(bayes_estimate(grid), [1, -2], atol=1e-9)
    assert_allclose(bayes_estimate(grid, "absolute"), [1, -2], atol=1e-6)
    loss = lambda t, a, b: (t[0] - a) ** 2 + np.abs(t[1] - b) ** 3  # noqa: E731
    assert_allclose(bayes_estimate(grid, loss), [1, -2], atol=1e-4)


def test_bad_input():
    with pytest.raises(ParameterError, match="loss must be"):
        bayes_estimate(stats.norm(), "quadratic")
    with pytest.raises(DataError, match="finite draws"):
        bayes_estimate([])
    with pytest.raises(DataError, match="NaN"):
        bayes_estimate([1.0, 2.0, 3.0], lambda t, theta: theta * np.nan)


def test_vectors_have_a_mean_and_a_mode():
    assert_allclose(bayes_estimate(Dirichlet([2, 3, 5])), [0.2, 0.3, 0.5])
    assert_allclose(bayes_estimate(Dirichlet([2, 2, 3]), "zero-one"), [0.25, 0.25, 0.5])
    with pytest.raises(ParameterError, match=r"Dirichlet is multivariate"):
        bayes_estimate(Dirichlet([2, 2, 3]), "absolute")
