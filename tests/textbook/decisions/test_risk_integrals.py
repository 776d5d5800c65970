import numpy as np
import pytest
from scipy import stats

from gramian.distributions import Gaussian, MultivariateGaussian
from gramian.textbook.decisions.risk_integrals import (
    by_sampling,
    find_cells,
    over_cells,
    over_plane,
    over_support,
    scan_points,
)
from gramian.textbook.estimation.known_density import KnownDensity


def known(*densities):
    return [KnownDensity.of("me", one) for one in densities]


def test_cells_are_found_to_the_last_digit():
    rule = lambda x: ((x > 1 / 3) & (x < 2)).astype(np.intp)  # noqa: E731
    cells = find_cells(rule, np.linspace(-5, 5, 101))
    np.testing.assert_allclose(cells.edges[1:-1], [1 / 3, 2], rtol=1e-15)
    assert cells.actions.tolist() == [0, 1, 0]
    whole = find_cells(lambda x: np.zeros(len(x), dtype=np.intp), np.linspace(0, 1, 5))
    assert whole.actions.tolist() == [0]
    assert whole.edges.tolist() == [-np.inf, np.inf]


def test_a_density_without_a_distribution_function_is_integrated():
    normal = stats.norm(1, 2)
    bare = KnownDensity(normal.logpdf, None, None, None, 1, False, 1.0, 2.0)
    rule = lambda x: (x > 0).astype(np.intp)  # noqa: E731
    cells = find_cells(rule, scan_points([bare]))
    costs = np.array([[3.0], [1.0]])
    found = over_cells(cells, [bare], costs)
    assert found.value == pytest.approx(3 * normal.cdf(0) + normal.sf(0), abs=1e-9)
    assert found.error < 1e-5


def test_the_scan_reaches_far_beyond_the_densities():
    points = scan_points(known(Gaussian(0.0, 1.0), Gaussian(1e3, 1e-4)))
    assert points.min() < -1e5
    assert points.max() > 1e5
    assert ((points > 999.9) & (points < 1000.1)).sum() > 1000


def test_sums_planes_and_samples_of_a_constant_cost():
    costs = np.array([[0.3 * 2, 0.7 * 5]])
    rule = lambda x: np.zeros(len(x), dtype=np.intp)  # noqa: E731
    assert over_support(rule, known(stats.poisson(2), stats.poisson(9)), costs).value == (
        pytest.approx(4.1)
    )
    plane = known(MultivariateGaussian([0, 0], np.eye(2)), MultivariateGaussian([9, 1], np.eye(2)))
    assert over_plane(rule, plane, costs).value == pytest.approx(4.1)
    drawn = by_sampling(
        lambda x: x[:, 0], plane, np.array([0.5, 0.5]), 20_000, np.random.default_rng(0)
    )
    assert drawn.low < 4.5 < drawn.high
    assert drawn.error == pytest.approx(np.sqrt(0.5 * (1 / 20_000)) * np.sqrt(2), rel=0.05)
