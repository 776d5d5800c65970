import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.distributions import (
    Beta,
    Dirichlet,
    Exponential,
    Gaussian,
    InverseWishart,
    MultivariateGaussian,
    MultivariateStudentT,
    StudentT,
)
from gramian.textbook.estimation import credible_interval, grid_posterior


def test_equal_tails_are_quantiles():
    assert_allclose(credible_interval(Beta(10, 4), 0.9), stats.beta(10, 4).interval(0.9))
    assert_allclose(credible_interval(stats.beta(10, 4), 0.9), stats.beta(10, 4).interval(0.9))


def test_the_shortest_interval_has_equal_densities_at_its_ends():
    low, high = credible_interval(Beta(10, 4), 0.9, kind="highest-density")
    exact = stats.beta(10, 4)
    assert exact.cdf(high) - exact.cdf(low) == pytest.approx(0.9)
    assert exact.pdf(low) == pytest.approx(exact.pdf(high), rel=1e-3)
    assert high - low < np.ptp(exact.interval(0.9))
    symmetric = credible_interval(Gaussian(1.0, 4.0), 0.8, kind="highest-density")
    assert_allclose(symmetric, stats.norm(1, 2).interval(0.8), atol=1e-6)
    low, high = credible_interval(Exponential(1.0), 0.9, kind="highest-density")
    assert low == pytest.approx(0, abs=1e-9)
    assert high == pytest.approx(np.log(10), rel=1e-6)


def test_vectors_have_an_interval_for_each_coordinate():
    found = credible_interval(Dirichlet([2, 3, 5]), 0.9)
    assert found.shape == (3, 2)
    assert_allclose(found[1], stats.beta(3, 7).interval(0.9))
    both = credible_interval(MultivariateGaussian([0, 1], [[4, 1], [1, 9]]), 0.5)
    assert_allclose(both[1], stats.norm(1, 3).interval(0.5))


def test_grids():
    grid = grid_posterior(stats.norm().logpdf, {"t": (-9.0, 9.0)})
    assert_allclose(credible_interval(grid, 0.9), stats.norm().interval(0.9), atol=1e-4)


def test_bad_input():
    with pytest.raises(ParameterError, match="mass"):
        credible_interval(Gaussian(), 1.5)
    with pytest.raises(ParameterError, match="kind"):
        credible_interval(Gaussian(), kind="hpd")
    with pytest.raises(ParameterError, match="quantiles"):
        credible_interval(3)


def test_coordinates_of_student_s_t_and_draws():
    t = MultivariateStudentT(5, [0.0, 1.0], [[1.0, 0.0], [0.0, 4.0]])
    wide = StudentT(5).quantile(0.975)
    assert_allclose(credible_interval(t), [[-wide, wide], [1 - 2 * wide, 1 + 2 * wide]])
    assert credible_interval(np.arange(1, 101.0), 0.9) == (5.0, 95.0)
    with pytest.raises(ParameterError, match=r"must have quantiles; got InverseWishart"):
        credible_interval(InverseWishart(5, np.eye(2)))
