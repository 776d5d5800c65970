"""The minimax fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian import ChebyshevRegression, LeastAbsoluteDeviations
from gramian.objectives import AbsoluteError, LinearProblem, Max
from gramian.solvers import LinearProgram
from tests.linear_model.robust.robust_data import rows


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


def test_outliers_hardly_move_the_absolute_fit_and_drag_the_minimax_one():
    x = np.arange(20.0)[:, None]
    y = x[:, 0].copy()
    y[3] = 1000
    assert LeastAbsoluteDeviations().fit(x, y).coef_ == pytest.approx([1.0])
    assert ChebyshevRegression().fit(x, y).max_error_ > 400
