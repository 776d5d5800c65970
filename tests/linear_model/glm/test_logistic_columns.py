"""Logistic models fitted together equal those fitted separately."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import gramian
from gramian import LogisticRegression
from gramian.base.errors import DataError
from gramian.linear_model.glm.logistic_columns import can_fit_columns, fit_logistic_columns


def sparse_rows(n=300, d=280, labels=6, scale=1.0, dtype=np.float64):
    """Sparse rows whose labels are rarer from column to column."""
    rng = np.random.default_rng(0)
    X = sp.random_array((n, d), density=0.05, rng=rng, format="csr")
    X.data = rng.normal(size=X.nnz)
    noise = rng.normal(size=(n, labels))
    Y = X @ rng.normal(size=(d, labels)) + noise > np.linspace(-0.5, 4.0, labels)
    X.data = (scale * X.data).astype(dtype)
    return sp.csr_array(X), Y.astype(int)


def one_by_one(model, X, Y, weights=None):
    return [clone(model).fit(X, y, sample_weight=weights) for y in Y.T]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_same_models_as_one_by_one(fit_intercept, weighted):
    X, Y = sparse_rows()
    weights = np.random.default_rng(1).integers(1, 4, len(Y)).astype(float) if weighted else None
    model = LogisticRegression(tol=1e-8, fit_intercept=fit_intercept, C=2.0)
    found = fit_logistic_columns(model, X, Y, weights)
    for ours, alone in zip(found, one_by_one(model, X, Y, weights), strict=True):
        np.testing.assert_allclose(ours.coef_, alone.coef_, atol=1e-5)
        np.testing.assert_allclose(ours.intercept_, alone.intercept_, atol=1e-5)
        np.testing.assert_allclose(ours.class_prior_, alone.class_prior_)
        np.testing.assert_allclose(ours.objective_, alone.objective_)
        assert ours.classes_.tolist() == [0, 1]
        assert set(vars(ours)) == set(vars(alone))


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 100.0, 1e8])
@pytest.mark.parametrize("C", [1e-3, 100.0])
def test_gradient_reaches_the_tolerance_at_any_scale(scale, C):
    """Also above the values for which single precision is used."""
    X, Y = sparse_rows(scale=scale)
    model = LogisticRegression(C=C)
    for ours, y in zip(fit_logistic_columns(model, X, Y), Y.T, strict=True):
        w = ours.coef_[0]
        residuals = ours.predict_proba(X)[:, 1] - y
        gradient = np.append(X.T @ residuals + w / C, residuals.sum())
        assert np.linalg.norm(gradient) <= 1.001 * model.tol * len(y)


def test_bits_do_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr("gramian.linear_model.glm.logistic_columns._BLOCK_COLUMNS", 8)
    X, Y = sparse_rows(labels=20)
    before, found = gramian.get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            gramian.set_num_threads(threads)
            models = fit_logistic_columns(LogisticRegression(), X, Y)
            found.append(np.vstack([np.append(m.coef_, m.intercept_) for m in models]))
    finally:
        gramian.set_num_threads(before)
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])


def test_single_precision_rows():
    X, Y = sparse_rows(dtype=np.float32)
    found = fit_logistic_columns(LogisticRegression(tol=1e-6), X, Y)
    double = fit_logistic_columns(LogisticRegression(tol=1e-6), X.astype(np.float64), Y)
    for ours, other in zip(found, double, strict=True):
        assert ours.coef_.dtype == ours.intercept_.dtype == np.float32
        np.testing.assert_allclose(ours.coef_, other.coef_, atol=1e-5)


def test_a_column_that_does_not_converge_is_fitted_separately():
    X, Y = sparse_rows()
    model = LogisticRegression(max_iter=1, tol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = fit_logistic_columns(model, X, Y)
        alone = one_by_one(model, X, Y)
    for ours, other in zip(found, alone, strict=True):
        np.testing.assert_array_equal(ours.coef_, other.coef_)


def test_values_too_large_for_a_cost():
    X, Y = sparse_rows(scale=1e200)
    with pytest.raises(DataError, match="scale the columns"):
        fit_logistic_columns(LogisticRegression(), X, Y)


def test_conditions_for_fitting_columns_together():
    X, _ = sparse_rows()
    assert can_fit_columns(LogisticRegression(), X)
    assert can_fit_columns(LogisticRegression(solver="saga"), X)
    assert not can_fit_columns(LogisticRegression(), X.toarray())
    assert not can_fit_columns(LogisticRegression(), X[:, :100])
    for other in ({"C": np.inf}, {"l1_ratio": 0.5}, {"class_weight": "balanced"}):
        assert not can_fit_columns(LogisticRegression(**other), X)
    assert not can_fit_columns(LogisticRegression(solver="lbfgs"), X)
