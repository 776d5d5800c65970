"""Quantiles and least absolute deviations."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from gramian import (
    LeastAbsoluteDeviations,
    QuantileRegressor,
)
from gramian.objectives import AbsoluteError, LinearProblem
from gramian.solvers import LinearProgram
from tests.linear_model.robust.robust_data import rows


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999), n=st.integers(2, 60), d=st.integers(1, 5), whole=st.booleans())
def test_least_absolute_deviations_equal_the_linear_program(seed, n, d, whole):
    X, y, _ = rows(seed, n, d, whole)
    found = LeastAbsoluteDeviations().fit(X, y)
    program = LinearProgram().minimize(LinearProblem(X, y, AbsoluteError()))
    assert np.abs(y - found.predict(X)).mean() <= program.value + 1e-8 * (1 + program.value)


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


def test_columns_too_small_for_their_penalty_get_nothing_and_no_warning():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    y = X @ np.arange(5.0) + rng.normal(size=40)
    model = QuantileRegressor(alpha=0.01).fit(X * 1e-150, y)
    assert not model.coef_.any()
    assert model.intercept_ == pytest.approx(np.median(y), abs=1)
    assert (y < model.intercept_).mean() <= 0.5 <= (y <= model.intercept_).mean()


def test_the_program_of_absolute_deviations_is_the_textbooks():
    """RG-24: min sum u subject to -u <= Xw - y <= u."""
    X, y, _ = rows(4, 25, 2, False)
    A = np.c_[X, np.ones(25)]
    both = np.block([[A, -np.eye(25)], [-A, -np.eye(25)]])
    found = linprog(np.r_[np.zeros(3), np.ones(25)], both, np.r_[y, -y], bounds=(None, None))
    model = LeastAbsoluteDeviations().fit(X, y)
    assert np.abs(y - model.predict(X)).sum() == pytest.approx(found.fun)


@pytest.mark.parametrize("model", [LeastAbsoluteDeviations, QuantileRegressor])
def test_columns_of_zeros_without_an_intercept(model):
    found = model(fit_intercept=False).fit(np.zeros((5, 2)), np.arange(5.0))
    np.testing.assert_array_equal(found.coef_, [0, 0])
    np.testing.assert_array_equal(found.predict(np.ones((2, 2))), [0, 0])


def test_weights_of_any_scale():
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(40, 2)), rng.uniform(1, 2, size=40)
    y = X[:, 0] + rng.normal(size=40)
    plain = LeastAbsoluteDeviations().fit(X, y, sample_weight=w)
    for scale in (1e300, 1e-300):
        scaled = LeastAbsoluteDeviations().fit(X, y, sample_weight=w * scale)
        np.testing.assert_allclose(scaled.coef_, plain.coef_, rtol=1e-9)
