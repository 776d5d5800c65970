"""Quantile regression as a linear program: vertices and their proof."""

import numpy as np
import pytest
from scipy.optimize import linprog

from gramian import LeastAbsoluteDeviations, QuantileRegressor
from gramian.linear_model.robust.quantile_solver import _interior_point, solve_quantile
from tests.linear_model.robust.robust_data import rows


def test_a_quantile_of_the_rows_lies_below_and_a_vertex_passes_through_rows():
    X, y, _ = rows(2, 500, 3, False)
    for q in (0.05, 0.5, 0.8):
        r = y - QuantileRegressor(quantile=q, alpha=0.0).fit(X, y).predict(X)
        assert (np.abs(r) <= 1e-9).sum() == 4
        assert (r < -1e-9).sum() <= q * 500 <= (r <= 1e-9).sum()


def test_the_program_of_absolute_deviations_is_the_textbooks():
    """RG-24: min sum u subject to -u <= Xw - y <= u."""
    X, y, _ = rows(4, 25, 2, False)
    A = np.c_[X, np.ones(25)]
    both = np.block([[A, -np.eye(25)], [-A, -np.eye(25)]])
    found = linprog(np.r_[np.zeros(3), np.ones(25)], both, np.r_[y, -y], bounds=(None, None))
    model = LeastAbsoluteDeviations().fit(X, y)
    assert np.abs(y - model.predict(X)).sum() == pytest.approx(found.fun)


@pytest.mark.parametrize("q", [0.2, 0.5, 0.9])
def test_the_vertex_is_the_minimum_of_the_linear_program(q, rng):
    X, y, w = rng.normal(size=(30, 3)), rng.normal(size=30), rng.random(30) + 0.1
    found = solve_quantile(X, y, w, q, 100)
    assert found.certified
    r = y - X @ found.b
    assert (np.abs(r) < 1e-9).sum() == 3
    equal = np.hstack([X, np.eye(30), -np.eye(30)])  # y = Xb + up - down
    bounds = [(None, None)] * 3 + [(0, None)] * 60
    program = linprog(np.r_[np.zeros(3), q * w, (1 - q) * w], A_eq=equal, b_eq=y, bounds=bounds)
    assert w @ (r * (q - (r < 0))) == pytest.approx(program.fun, rel=1e-9)


def test_too_few_pivots_leave_the_rest_to_the_simplex_method(rng):
    X, y = np.round(rng.normal(size=(40, 2))), np.round(rng.normal(size=40))  # many ties
    X = np.column_stack([X, np.ones(40)])
    cost = lambda b: np.abs(y - X @ b).sum()  # noqa: E731
    few, many = (solve_quantile(X, y, np.ones(40), 0.5, pivots) for pivots in (1, 100))
    assert few.certified
    assert cost(few.b) == pytest.approx(cost(many.b), abs=1e-9)


@pytest.mark.parametrize("size", [1e-30, 3e38])
def test_the_size_of_the_weights_does_not_matter_to_the_simplex_method(rng, size):
    X, y = np.round(rng.normal(size=(40, 2))), np.round(rng.normal(size=40))
    w = np.full(40, size)
    found = solve_quantile(X, y, w, 0.5, 1)
    assert found.certified
    assert np.abs(y - X @ found.b).sum() == pytest.approx(
        np.abs(y - X @ solve_quantile(X, y, np.ones(40), 0.5, 1).b).sum(), rel=1e-9
    )


def test_a_target_of_zeros_has_no_coefficients():
    assert solve_quantile(np.ones((4, 1)), np.zeros(4), np.ones(4), 0.5, 10).b.tolist() == [0.0]


@pytest.mark.parametrize("q", [0.2, 0.9])
def test_the_interior_point_method_ends_near_the_minimum(q, rng):
    """Before any pivot, and in about fifteen steps."""
    X, y, w = rng.normal(size=(200, 3)), rng.normal(size=200), rng.random(200) + 0.1
    cost = lambda b: w @ ((y - X @ b) * (q - (y < X @ b)))  # noqa: E731
    b, steps = _interior_point(X, y, w, q)
    assert cost(b) <= cost(solve_quantile(X, y, w, q, 100).b) * (1 + 1e-6)
    assert steps < 40


@pytest.mark.parametrize("apart", [1e-9, 1e-10])
def test_columns_that_are_almost_equal(apart):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(301, 131))
    X[:, 1] = X[:, 0] + apart * rng.normal(size=301)
    y = X[:, 2] + rng.normal(size=301)
    found = np.abs(y - LeastAbsoluteDeviations().fit(X, y).predict(X)).sum()
    without = np.delete(X, 1, axis=1)
    least = np.abs(y - LeastAbsoluteDeviations().fit(without, y).predict(without)).sum()
    assert found <= least * (1 + 1e-9)
