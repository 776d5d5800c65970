"""Directions along which an unpenalised cost falls for ever."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from gramian import LogisticRegression
from gramian.linear_model.glm.quasi_separation import newton_step_is_long, recession_direction
from gramian.objectives import LinearProblem, Logistic
from gramian.solvers import Newton

INF = float("inf")


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_a_direction_lowers_no_row_and_lifts_some(seed, classes):
    """Albert and Anderson 1984: (u_y - u_k) . x >= 0 for all rows and classes, > 0 for some."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, size=(8, 2)).astype(float)
    y = rng.integers(0, classes, size=8)
    y[:classes] = np.arange(classes)
    U = recession_direction(X, y, classes, fit_intercept=True)
    A = np.c_[X, np.ones(8)]
    if U is not None:
        scores = A @ U
        gains = scores[np.arange(8), y][:, None] - scores
        assert gains.min() > -1e-7
        assert gains.max() > 0.5
    elif classes == 2:  # then the cost has a minimum, and its gradient a zero
        problem = LinearProblem(X, y.astype(float), Logistic())
        found = Newton(tol=1e-10, max_iter=200).minimize(problem)
        assert found.gradient_norm < 1e-8
        assert np.abs(A @ found.x).max() < 30
        assert not newton_step_is_long(problem, found.x)


def test_the_newton_step_stays_long_on_the_way_to_infinity():
    X = np.array([[0.0], [1.0], [1.0], [2.0]])
    problem = LinearProblem(X, np.array([0.0, 0, 1, 1]), Logistic())
    for steps in (5, 10, 20):
        x = Newton(max_iter=steps, tol=0).minimize(problem).x
        assert newton_step_is_long(problem, x)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_sparse_rows_give_the_same_result(fit_intercept):
    X = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [0.0, 1.5], [3.0, 1.0]])
    y = np.array([0, 1, 1, 0, 1])
    dense = recession_direction(X, y, 2, fit_intercept=fit_intercept)
    sparse = recession_direction(sp.csr_array(X), y, 2, fit_intercept=fit_intercept)
    assert dense is not None
    assert (dense[0, 1] - dense[0, 0]) > 0
    np.testing.assert_allclose(sparse, dense, atol=1e-9)


def test_too_many_values_are_not_tested(monkeypatch):
    monkeypatch.setattr("gramian.linear_model.glm.quasi_separation._MAX_VALUES", 10)
    X = np.arange(8.0)[:, None]
    assert recession_direction(X, np.repeat([0, 1], 4), 2, fit_intercept=True) is None


# What LogisticRegression reports


def quasi_separable(n=200, classes=2, seed=0):
    """Noisy classes, and column 1 that is not 0 in the last class alone."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = (X[:, :1] * np.arange(classes) + rng.gumbel(size=(n, classes))).argmax(axis=1)
    X[:, 1] = (rng.random(n) < 0.2) & (y == classes - 1)
    return X, y


@pytest.mark.parametrize("settings", [{}, {"multi_class": "ovr"}, {"multi_class": "reference"}])
@pytest.mark.parametrize("classes", [2, 3])
def test_quasi_separable_classes_give_a_warning_with_the_column(classes, settings):
    X, y = quasi_separable(classes=classes)
    with pytest.warns(
        ConvergenceWarning, match=r"quasi-separable.*finite C.* columns: 1\."
    ) as raised:
        model = LogisticRegression(C=INF, **settings).fit(X, y)
    assert model.separable_
    assert raised[0].filename == __file__
    assert not LogisticRegression().fit(X, y).separable_


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-8])
def test_quasi_separation_does_not_hide_behind_a_small_gradient(tol):
    X, y = quasi_separable(60)
    with pytest.warns(ConvergenceWarning, match="quasi-separable"):
        LogisticRegression(C=INF, tol=tol, max_iter=1000).fit(X, y)


def test_quasi_separation_names_the_columns_of_a_frame():
    X, y = quasi_separable()
    frame = pd.DataFrame(X, columns=["age", "only_sick", "weight", "size"])
    with pytest.warns(ConvergenceWarning, match="columns: 'only_sick'"):
        LogisticRegression(C=INF).fit(frame, y)


def test_rows_without_weight_do_not_separate_and_do_not_hide_it():
    X, y = quasi_separable()
    X[0, 1], y[0] = 1.0, 0  # a row of the other class spoils it
    weights = np.ones(len(y))
    assert not LogisticRegression(C=INF).fit(X, y, weights).separable_  # and no warning
    weights[0] = 0
    with pytest.warns(ConvergenceWarning, match="quasi-separable"):
        LogisticRegression(C=INF).fit(X, y, weights)


def test_soft_targets_keep_the_weights_finite():
    """A row with probability 1/2 and the column set must stay where it is."""
    X, y = quasi_separable()
    P = y.astype(float)
    with pytest.warns(ConvergenceWarning, match="quasi-separable"):
        LogisticRegression(C=INF).fit_probabilities(X, P)
    P[np.flatnonzero(X[:, 1])[0]] = 0.5
    assert not LogisticRegression(C=INF).fit_probabilities(X, P).separable_
