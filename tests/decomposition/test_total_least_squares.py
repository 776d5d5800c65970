import numpy as np
import pytest
from scipy.optimize import least_squares

from gramian import LinearRegression
from gramian.base.errors import DataError
from gramian.decomposition import total_least_squares

rng = np.random.default_rng(0)
x = rng.normal(size=80)
y = 1 + 2 * x + rng.normal(size=80)


def test_no_line_is_nearer_in_orthogonal_distance():
    fit = total_least_squares(x, y)
    points = np.column_stack([x, y])
    distances = points @ fit.normal - fit.offset
    assert (distances**2).sum() == pytest.approx(fit.sum_of_squares)
    for angle in np.linspace(0, np.pi, 50):
        normal = np.array([np.cos(angle), np.sin(angle)])
        centred = (points - points.mean(axis=0)) @ normal
        assert (centred**2).sum() >= fit.sum_of_squares - 1e-9


def test_the_regression_line_is_flatter():
    flat = LinearRegression().fit(x[:, None], y).coef_[0]
    steep = 1 / LinearRegression().fit(y[:, None], x).coef_[0]
    assert flat < total_least_squares(x, y).coef[0] < steep


def test_it_minimises_orthogonal_distances_in_three_dimensions():
    X = rng.normal(size=(60, 2))
    z = X @ [1.0, -2.0] + 3 + 0.3 * rng.normal(size=60)
    fit = total_least_squares(X, z)

    def distances(b):
        return (z - X @ b[:2] - b[2]) / np.sqrt(1 + b[:2] @ b[:2])

    peer = least_squares(distances, [1.0, -1.0, 2.0], xtol=1e-14, ftol=1e-14)
    np.testing.assert_allclose([*fit.coef, fit.intercept], peer.x, atol=1e-6)


def test_planes_that_are_no_functions_are_refused():
    with pytest.raises(DataError, match="parallel to the y axis"):
        total_least_squares([0.0, 0.0, 0.0], [1.0, 2.0, 3.0])
    with pytest.raises(DataError, match="the plane is not unique"):
        total_least_squares([1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0])
    with pytest.raises(DataError, match="more rows than columns"):
        total_least_squares(np.eye(3), np.ones(3))
    with pytest.raises(DataError, match="y must contain 80 numbers"):
        total_least_squares(x, y[:3])


def test_text_and_numbers_too_large_are_refused():
    with pytest.raises(ValueError, match=r"total_least_squares: X must contain numbers"):
        total_least_squares([["a"], ["b"]], [1.0, 2.0])
    with pytest.raises(ValueError, match=r"at most 1e\+152 in size, .* Divide both by a constant"):
        total_least_squares([0.0, 1e200, 3e200], [1.0, 2.0, 4.0])
