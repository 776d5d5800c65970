"""SMO, projections and plain coordinate descent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from gramian.base.errors import DataError
from gramian.objectives import L2, Function, LinearProblem, Logistic
from gramian.solvers import (
    CoordinateDescent,
    Newton,
    ProjectedGradient,
    clipped_step,
    minimize,
    onto_box,
    onto_box_and_plane,
    onto_positive,
    smo,
    soft_threshold,
)


def rows(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.8 * rng.normal(size=n) > 0, 1.0, -1.0)


@pytest.mark.parametrize("C", [0.5, np.where(np.arange(40) % 2, 0.3, 2.0)])
def test_smo_satisfies_the_optimality_conditions(C):
    X, y = rows()
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    found = smo(K, y, C, tol=1e-9)
    margins = y * (K @ (found.alpha * y) + found.b)
    bound = np.broadcast_to(C, 40)
    assert found.alpha @ y == pytest.approx(0, abs=1e-9)
    assert (found.alpha >= 0).all()
    assert (found.alpha <= bound).all()
    assert (margins[found.alpha == 0] >= 1 - 1e-7).all()
    assert (margins[found.alpha == bound] <= 1 + 1e-7).all()
    free = (found.alpha > 0) & (found.alpha < bound)
    np.testing.assert_allclose(margins[free], 1, atol=1e-7)
    primal = 0.5 * (found.alpha * y) @ K @ (found.alpha * y) + bound @ np.maximum(0, 1 - margins)
    assert found.value == pytest.approx(primal, rel=1e-7)


def test_smo_agrees_with_scikit_learn():
    X, y = rows()
    found = smo(X @ X.T, y, 1.0, tol=1e-8)
    peer = SVC(kernel="linear", C=1.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose((found.alpha * y) @ X, peer.coef_[0], atol=1e-6)
    assert found.b == pytest.approx(peer.intercept_[0], abs=1e-6)


def test_smo_stops_after_its_steps_and_refuses_wrong_shapes():
    X, y = rows()
    assert smo(X @ X.T, y, max_iter=3).steps == 3
    assert smo(X @ X.T, y, max_iter=3).violation > 0.1
    with pytest.raises(DataError, match="square matrix"):
        smo(X, y)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_the_projection_is_the_nearest_allowed_point(seed):
    rng = np.random.default_rng(seed)
    a, x = np.where(rng.random(6) < 0.5, 1.0, -1.0), 3 * rng.normal(size=6)
    a[:2] = [1, -1]
    p = onto_box_and_plane(0.0, 1.0, a)(x)
    assert a @ p == pytest.approx(0, abs=1e-9)
    assert p.min() >= 0
    assert p.max() <= 1
    for _ in range(30):  # no other allowed point is nearer
        q = onto_box_and_plane(0.0, 1.0, a)(rng.random(6))
        assert np.linalg.norm(x - p) <= np.linalg.norm(x - q) + 1e-9
    np.testing.assert_array_equal(onto_positive(x), np.maximum(x, 0))
    np.testing.assert_array_equal(onto_box(-1, 1)(x), np.clip(x, -1, 1))


def test_a_plane_that_misses_the_box_is_told():
    with pytest.raises(DataError, match="no point of the box"):
        onto_box_and_plane(0.0, 1.0, [1.0, 1.0], 5.0)([0.0, 0.0])


def test_the_hard_margin_dual_by_projected_ascent():
    """max sum l - 1/2 l'Ql over l >= 0, the machine without a bias; its gradient is 1 - Ql."""
    X, y = np.array([[1.0, 1.0], [-1.0, -1.0], [3.0, 2.0]]), np.array([1.0, -1.0, 1.0])
    Q = (X @ X.T) * np.outer(y, y)
    dual = Function(lambda a: a @ Q @ a / 2 - a.sum(), lambda a: Q @ a - 1, lambda a: Q, size=3)
    found = ProjectedGradient(onto_positive, tol=1e-10, max_iter=10_000).minimize(dual)
    assert found.converged
    np.testing.assert_allclose((found.x * y) @ X, [0.5, 0.5], atol=1e-6)


def test_coordinate_descent_is_gauss_and_seidel():
    A, c = np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    bowl = Function(lambda x: x @ A @ x / 2 - c @ x, lambda x: A @ x - c, lambda x: A, size=2)
    path = CoordinateDescent(max_iter=1, tol=0).minimize(bowl, trace=True).trace.iterates
    first = c[0] / 4
    np.testing.assert_allclose(path[1], [first, (c[1] - first) / 3])
    found = CoordinateDescent(tol=1e-10).minimize(bowl)
    np.testing.assert_allclose(found.x, np.linalg.solve(A, c), atol=1e-9)


def test_coordinate_descent_finds_the_logistic_fit_in_any_order():
    X, y = rows()
    problem = LinearProblem(X, (y > 0) * 1.0, Logistic(), L2(0.05))
    best = Newton(tol=1e-10).minimize(problem).value
    assert minimize(problem, "coordinate", tol=1e-7).value == pytest.approx(best, abs=1e-10)
    shuffled = CoordinateDescent(random_order=True, tol=1e-7).minimize(problem)
    assert shuffled.value == pytest.approx(best, abs=1e-10)


def test_the_cheap_coordinates():
    np.testing.assert_array_equal(soft_threshold([-2.0, 0.3], 0.5), [-1.5, 0.0])
    assert clipped_step(0.4, margin=-3.0, square=1.0, high=1.0) == 1.0
    assert clipped_step(0.4, margin=5.0, square=1.0) == 0.0
