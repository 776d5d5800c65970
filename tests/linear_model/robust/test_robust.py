"""Quantile, least-absolute-deviation, Chebyshev and Huber regression against HiGHS and peers."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from gramian import (
    ChebyshevRegression,
    HuberRegressor,
    LeastAbsoluteDeviations,
    QuantileRegressor,
)
from gramian.objectives import AbsoluteError, LinearProblem, Max
from gramian.solvers import LinearProgram


def rows(seed, n, d, whole):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.standard_t(2, size=n)
    return (np.round(X), np.round(y), rng) if whole else (X, y, rng)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999), n=st.integers(2, 60), d=st.integers(1, 5), whole=st.booleans())
def test_least_absolute_deviations_equal_the_linear_program(seed, n, d, whole):
    X, y, _ = rows(seed, n, d, whole)
    found = LeastAbsoluteDeviations().fit(X, y)
    program = LinearProgram().minimize(LinearProblem(X, y, AbsoluteError()))
    assert np.abs(y - found.predict(X)).mean() <= program.value + 1e-8 * (1 + program.value)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999), n=st.integers(2, 60), d=st.integers(1, 5), whole=st.booleans())
def test_chebyshev_equals_the_linear_program(seed, n, d, whole):
    X, y, _ = rows(seed, n, d, whole)
    found = ChebyshevRegression().fit(X, y)
    program = LinearProgram().minimize(LinearProblem(X, y, AbsoluteError(), None, Max()))
    largest = np.abs(y - found.predict(X)).max()
    assert largest == pytest.approx(found.max_error_, abs=1e-9)
    assert largest <= program.value + 1e-8


def test_chebyshev_residuals_alternate_on_a_parabola():
    """The best line for x^2 on [0, 1] is x - 1/8: three equal errors of changing sign."""
    x = np.linspace(0, 1, 101)
    model = ChebyshevRegression().fit(x[:, None], x**2)
    assert model.max_error_ == pytest.approx(0.125)
    assert model.coef_ == pytest.approx([1.0])
    assert model.extremal_.tolist() == [0, 50, 100]


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("alpha", [0.0, 0.05])
@pytest.mark.parametrize("kind", ["plain", "ties", "weights", "dependent"])
def test_quantiles_agree_with_scikit_learn(q, alpha, kind):
    X, y, rng = rows(1, 80, 4, kind == "ties")
    X = np.column_stack([X, X[:, 0]]) if kind == "dependent" else X
    w = rng.integers(0, 3, 80).astype(float) if kind == "weights" else np.ones(80)

    def cost(model):
        r = y - model.predict(X)
        return (w @ (r * (q - (r < 0)))) / w.sum() + alpha * np.abs(model.coef_).sum()

    ours = QuantileRegressor(quantile=q, alpha=alpha).fit(X, y, w)
    theirs = peers.QuantileRegressor(quantile=q, alpha=alpha).fit(X, y, w)
    assert cost(ours) == pytest.approx(cost(theirs), rel=1e-8, abs=1e-9)


def test_a_quantile_of_the_rows_lies_below_and_a_vertex_passes_through_rows():
    X, y, _ = rows(2, 500, 3, False)
    for q in (0.05, 0.5, 0.8):
        r = y - QuantileRegressor(quantile=q, alpha=0.0).fit(X, y).predict(X)
        assert (np.abs(r) <= 1e-9).sum() == 4
        assert (r < -1e-9).sum() <= q * 500 <= (r <= 1e-9).sum()


def test_outliers_hardly_move_the_absolute_fit_and_drag_the_minimax_one():
    x = np.arange(20.0)[:, None]
    y = x[:, 0].copy()
    y[3] = 1000
    assert LeastAbsoluteDeviations().fit(x, y).coef_ == pytest.approx([1.0])
    assert ChebyshevRegression().fit(x, y).max_error_ > 400


def test_more_unknowns_than_rows_and_one_row():
    X, y, _ = rows(3, 3, 6, False)
    for model in (LeastAbsoluteDeviations(), ChebyshevRegression()):
        np.testing.assert_allclose(model.fit(X, y).predict(X), y, atol=1e-9)
        assert model.fit([[1.0, 2.0]], [3.0]).predict([[1.0, 2.0]]) == pytest.approx([3.0])


def test_columns_too_small_for_their_penalty_get_nothing_and_no_warning():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    y = X @ np.arange(5.0) + rng.normal(size=40)
    model = QuantileRegressor(alpha=0.01).fit(X * 1e-150, y)
    assert not model.coef_.any()
    assert model.intercept_ == pytest.approx(np.median(y), abs=1)
    assert (y < model.intercept_).mean() <= 0.5 <= (y <= model.intercept_).mean()


def test_constant_columns_and_targets():
    X = np.column_stack([np.full(10, 1e6), np.arange(10.0)])
    for model in (LeastAbsoluteDeviations(), ChebyshevRegression()):
        model.fit(X, np.full(10, 5.0))
        np.testing.assert_allclose(model.predict(X), 5.0)
        np.testing.assert_allclose(model.fit(X, X[:, 1]).predict(X), X[:, 1], atol=1e-8)


@pytest.mark.parametrize("epsilon", [1.1, 1.35, 3.0])
def test_huber_agrees_with_scikit_learn(epsilon):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 4)) * [1, 10, 0.1, 1] + 2
    y, w = X @ [1, 2, 3, 0] + rng.standard_t(1.5, 100), rng.random(100)

    def cost(m):
        z = np.abs(y - m.predict(X)) / m.scale_
        H = np.where(z <= epsilon, z**2, 2 * epsilon * z - epsilon**2)
        return w @ (m.scale_ * (1 + H)) + m.alpha * m.coef_ @ m.coef_

    ours = HuberRegressor(epsilon=epsilon, tol=1e-9).fit(X, y, w)
    theirs = peers.HuberRegressor(epsilon=epsilon, tol=1e-9, max_iter=10_000).fit(X, y, w)
    assert cost(ours) <= cost(theirs) * (1 + 1e-9)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-2)
    assert (ours.outliers_ == (np.abs(y - ours.predict(X)) > epsilon * ours.scale_)).all()


def test_huber_does_not_mind_columns_far_from_zero():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X @ [1.0, 2.0, 3.0] + rng.standard_t(2, 60)
    weights = rng.random(60)
    near = HuberRegressor(tol=1e-8).fit(X, y, weights)
    far = HuberRegressor(tol=1e-8).fit(X + 1e7, y, weights)
    np.testing.assert_allclose(far.coef_, near.coef_, atol=1e-6)
    assert far.scale_ == pytest.approx(near.scale_, rel=1e-6)
    np.testing.assert_array_equal(far.outliers_, near.outliers_)
    constant = HuberRegressor().fit(np.full((60, 2), 7.0), y)
    assert not constant.coef_.any()
    again = HuberRegressor(warm_start=True, tol=1e-8).fit(X + 1e3, y)
    assert again.fit(X + 1e3, y).n_iter_ <= 1


def test_the_program_of_absolute_deviations_is_the_textbooks():
    """RG-24: min sum u subject to -u <= Xw - y <= u."""
    X, y, _ = rows(4, 25, 2, False)
    A = np.c_[X, np.ones(25)]
    both = np.block([[A, -np.eye(25)], [-A, -np.eye(25)]])
    found = linprog(np.r_[np.zeros(3), np.ones(25)], both, np.r_[y, -y], bounds=(None, None))
    model = LeastAbsoluteDeviations().fit(X, y)
    assert np.abs(y - model.predict(X)).sum() == pytest.approx(found.fun)


@pytest.mark.parametrize("seed", range(8))
def test_huber_finds_the_minimum_where_hardly_a_row_is_within(seed):
    """With epsilon near 1 the scale is near 0, and the cost nearly has kinks."""
    rng = np.random.default_rng(seed)
    n, d = [30, 60, 200][seed % 3], [2, 5][seed % 2]
    X = rng.normal(size=(n, d))
    y = X @ rng.normal(size=d) + rng.standard_t(1.5, size=n) * [0.1, 1][seed % 2]
    y[::7] *= 20

    def cost(model):
        r, s = np.abs(y - X @ model.coef_ - model.intercept_), model.scale_
        terms = s + np.where(r <= 1.01 * s, r * r / s, 2 * 1.01 * r - 1.01**2 * s)
        return terms.sum() + 1e-4 * model.coef_ @ model.coef_

    ours = HuberRegressor(epsilon=1.01).fit(X, y)
    theirs = peers.HuberRegressor(epsilon=1.01, max_iter=10_000, tol=1e-9).fit(X, y)
    assert cost(ours) <= cost(theirs) * (1 + 1e-6)
