"""Logistic regression on rows in memory."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from gramian import LogisticRegression, TimeBudget
from tests.linear_model.glm.logistic_data import INF, binary, objective, several


def test_objective_is_the_cost_of_the_docstring():
    for make in (binary, several):
        X, y = make()
        model = LogisticRegression(C=0.3).fit(X, y)
        assert model.objective_ == pytest.approx(objective(model, X, y, 0.3), rel=1e-9)


def test_newton_step_solves_the_weighted_normal_equations():
    """LC-18: (X' Omega X) e = X'(y - s), Omega = diag(s_i (1 - s_i))."""
    X, y = binary(60, 3)
    A = np.c_[X, np.ones(60)]
    w = np.zeros(4)
    for steps in range(1, 5):
        s = expit(A @ w)
        w = w + np.linalg.solve((A.T * (s * (1 - s))) @ A, A.T @ (y - s))
        model = LogisticRegression(C=INF, tol=0, max_iter=steps, solver="newton-cholesky")
        with pytest.warns(ConvergenceWarning, match="max_iter"):
            model.fit(X, y)
        np.testing.assert_allclose(np.r_[model.coef_[0], model.intercept_], w, atol=1e-9)


def test_one_against_the_rest_is_a_set_of_binary_fits():
    """LC-26: g_k(x) = w_k . x + w_k0, the largest wins."""
    X, y = several(classes=3)
    model = LogisticRegression(multi_class="ovr", tol=1e-9).fit(X, y)
    for k in range(3):
        one = LogisticRegression(tol=1e-9).fit(X, (y == k).astype(int))
        np.testing.assert_allclose(model.coef_[k], one.coef_[0], atol=1e-9)
        np.testing.assert_allclose(model.decision_function(X)[:, k], one.decision_function(X))
    np.testing.assert_array_equal(model.predict(X), model.decision_function(X).argmax(axis=1))
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_warm_start_begins_at_the_last_solution():
    X, y = several()
    model = LogisticRegression(warm_start=True, tol=1e-6).fit(X, y)
    assert model.fit(X, y).n_iter_[0] == 0
    assert LogisticRegression(tol=1e-6).fit(X, y).n_iter_[0] > 0


def test_a_callback_stops_it_without_a_warning():
    X, y = binary()
    model = LogisticRegression(tol=0, solver="gradient", max_iter=10_000)
    model.set_callbacks(TimeBudget(0.0)).fit(X, y)
    assert model.n_iter_[0] == 1


def test_too_few_steps_give_a_warning():
    X, y = binary()
    with pytest.warns(ConvergenceWarning, match="max_iter=1 "):
        LogisticRegression(max_iter=1, tol=1e-9).fit(X, y)


@pytest.mark.parametrize("C", [1.0, INF])
def test_constant_and_duplicated_columns(C):
    X, y = binary(100, 2)
    plain = LogisticRegression(C=C, tol=1e-9).fit(X, y)
    doubled = LogisticRegression(C=C, tol=1e-9).fit(np.c_[X, X, np.ones(100), np.zeros(100)], y)
    if np.isinf(C):  # the copies share the weight; the constant column is a second bias
        lifted = np.c_[X, X, np.ones(100), np.zeros(100)]
        P = doubled.predict_proba(lifted)
        np.testing.assert_allclose(P, plain.predict_proba(X), atol=1e-6)
    assert doubled.coef_[0, 5] == 0
    np.testing.assert_allclose(doubled.coef_[0, :2], doubled.coef_[0, 2:4], atol=1e-8)


def test_fewer_rows_than_columns():
    X, y = binary(6, 20, seed=3)
    y[:2] = [0, 1]
    model = LogisticRegression(tol=1e-9).fit(X, y)
    assert model.score(X, y) == 1
    with pytest.warns(ConvergenceWarning, match="separable"):
        LogisticRegression(C=INF).fit(X, y)


def test_float32_is_close_to_float64():
    X, y = binary(5000, 6)
    narrow = LogisticRegression().fit(X.astype(np.float32), y)
    assert narrow.coef_.dtype == np.float32
    np.testing.assert_allclose(narrow.coef_, LogisticRegression().fit(X, y).coef_, atol=2e-4)
