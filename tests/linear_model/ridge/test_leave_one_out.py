"""Leaving out by formula equals leaving out by refitting."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.model_selection import KFold, ShuffleSplit

from gramian import Ridge, RidgeCV
from gramian.linear_model.ridge.leave_one_out import fold_models, leave_one_out
from tests.linear_model.data import table
from tests.linear_model.ridge.ridge_data import ALPHAS


def refitted(X, Y, w, alpha, fit_intercept):
    """Errors of each row after fitting to the others."""
    errors = np.empty(Y.shape)
    for i in range(len(Y)):
        rest = np.arange(len(Y)) != i
        model = Ridge(alpha, fit_intercept=fit_intercept).fit(X[rest], Y[rest], w[rest])
        errors[i] = Y[i] - model.predict(X[i : i + 1])[0]
    return errors


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(4, 25),
    d=st.integers(1, 30),
    m=st.integers(1, 2),
    fit_intercept=st.booleans(),
    weighted=st.booleans(),
    seed=st.integers(0, 5),
)
def test_leave_one_out_equals_refitting(n, d, m, fit_intercept, weighted, seed):
    X, Y, w = table(n, d, m, seed)
    w = w if weighted else np.ones(n)
    model = RidgeCV([0.5, 20.0], fit_intercept=fit_intercept, store_cv_results=True).fit(X, Y, w)
    for a, alpha in enumerate([0.5, 20.0]):
        squares = np.square(refitted(X, Y, w, alpha, fit_intercept))
        expected = squares * (w if m == 1 else w[:, None])
        atol = 1e-8 * expected.max()
        assert_allclose(model.cv_results_[..., a], expected, rtol=1e-6, atol=atol)


def test_a_row_with_its_own_column_has_a_finite_error():
    X = np.eye(4)[:, :2]
    model = RidgeCV([1e-6, 1.0], fit_intercept=False, store_cv_results=True).fit(X, np.ones(4))
    assert np.isfinite(model.cv_results_).all()
    assert_allclose(model.cv_results_[:, 1], 1)  # left out, its own column says nothing


def test_folds_whose_training_rows_are_drawn_anew():
    """As many rows as a fold leaves over, but not those: the folds' sums must not be used."""
    X, y, _ = table(60)
    rng = np.random.default_rng(0)
    tests = np.array_split(rng.permutation(60), 3)
    folds = [(rng.choice(np.setdiff1d(np.arange(60), t), size=60 - len(t)), t) for t in tests]
    ours = RidgeCV(ALPHAS, cv=folds).fit(X, y)
    theirs = sklearn.linear_model.RidgeCV(ALPHAS, cv=folds).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)
    assert RidgeCV(ALPHAS, cv=iter(folds)).fit(X, y).best_score_ == ours.best_score_


def test_wide_sparse_rows_in_single_precision_keep_their_digits():
    """Sums of products about the means cancel, so they are made in double."""
    X, y, _ = table(12, 30)
    X = (X + 50).astype(np.float32)
    dense = RidgeCV(ALPHAS).fit(X.astype(float), y)
    sparse = RidgeCV(ALPHAS).fit(sp.csr_array(X), y)
    assert sparse.best_score_ == pytest.approx(dense.best_score_, rel=1e-9)


@pytest.mark.parametrize("d", [3, 20])
def test_errors_and_squares_of_rows_left_out(d):
    X, Y, w = table(12, d, 2)
    alphas = np.array([0.5, 20.0])
    found = leave_one_out(X, Y, w, alphas, fit_intercept=True, keep_errors=True)
    for a, alpha in enumerate(alphas):
        expected = refitted(X, Y, w, alpha, True)
        assert_allclose(found.errors[:, :, a], expected, rtol=1e-6, atol=1e-8)
        assert_allclose(found.squares[:, a], w @ expected**2, rtol=1e-6)
        whole = Ridge(alpha).fit(X, Y, w)
        models = np.column_stack([whole.coef_, whole.intercept_])
        assert_allclose(found.models[a], models, rtol=1e-6, atol=1e-8)
    assert leave_one_out(X, Y, w, alphas, fit_intercept=True, keep_errors=False).errors is None


@pytest.mark.parametrize("splitter", [KFold(3), ShuffleSplit(3, random_state=0)])
@pytest.mark.parametrize("d", [3, 20])
def test_models_without_each_fold(splitter, d):
    """A partition is served by sums of the folds' Gram matrices, other splits one by one."""
    X, y, w = table(18, d)
    splits, alphas = list(splitter.split(X)), np.array([0.5, 20.0])
    models = fold_models(X, y[:, None], w, alphas, splits, fit_intercept=True)
    for (train, _), found in zip(splits, models, strict=True):
        for a, alpha in enumerate(alphas):
            fit = Ridge(alpha).fit(X[train], y[train], w[train])
            assert_allclose(found[a, 0], [*fit.coef_, fit.intercept_], rtol=1e-6, atol=1e-8)
