"""Quantiles and least absolute deviations."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian import LeastAbsoluteDeviations, QuantileRegressor
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


def test_tiny_columns_have_zero_coefficients_without_a_warning():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    y = X @ np.arange(5.0) + rng.normal(size=40)
    model = QuantileRegressor(alpha=0.01).fit(X * 1e-150, y)
    assert not model.coef_.any()
    assert model.intercept_ == pytest.approx(np.median(y), abs=1)
    assert (y < model.intercept_).mean() <= 0.5 <= (y <= model.intercept_).mean()
