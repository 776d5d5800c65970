"""Errors on held-out folds for all penalties at once."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

from gramian import Lasso, LassoCV
from gramian.linear_model.lasso.lasso_folds import Folds
from tests.linear_model.lasso.lasso_data import problem


def test_folds_may_be_masks():
    X, y, _ = problem(12, 60, 8)
    rows = np.split(np.arange(60), [10, 35])
    masks = [(~np.isin(np.arange(60), out), np.isin(np.arange(60), out)) for out in rows]
    numbers = [(np.flatnonzero(fit), np.flatnonzero(out)) for fit, out in masks]
    ours, theirs = LassoCV(cv=masks).fit(X, y), LassoCV(cv=numbers).fit(X, y)
    np.testing.assert_array_equal(ours.mse_path_, theirs.mse_path_)
    per_row = np.average(theirs.mse_path_, axis=1, weights=[10, 25, 25])
    assert ours.alpha_ == theirs.alpha_ == theirs.alphas_[per_row.argmin()]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_errors_match_fits_to_each_fold(weighted, wide):
    """On a tall table by differences of Gram matrices, on a wide one by columns."""
    X, y, rng = problem(3, 40, 60 if wide else 5)
    weights = rng.random(40) + 0.5 if weighted else None
    splits = list(KFold(4).split(X))
    alphas, calls = np.array([0.5, 0.1]), []
    folds = Folds(X, y, weights, splits, centre=True)
    errors = folds.errors(
        alphas, 0 * alphas, lambda: calls.append(1), positive=False, tol=1e-12, max_iter=10_000
    )
    assert len(calls) == (4 if wide else 1)
    for k, (fit, out) in enumerate(splits):
        w_fit, w_out = (None, None) if weights is None else (weights[fit], weights[out])
        for a, alpha in enumerate(alphas):
            model = Lasso(alpha, tol=1e-12, max_iter=10_000).fit(X[fit], y[fit], w_fit)
            squares = (y[out] - model.predict(X[out])) ** 2
            assert errors[a, k] == pytest.approx(np.average(squares, weights=w_out), rel=1e-6)


def test_folds_that_overlap_are_summarised_one_by_one():
    X, y, _ = problem(4, 30, 3)
    splits = list(ShuffleSplit(3, test_size=0.4, random_state=0).split(X))
    folds = Folds(X, y, None, splits, centre=True)
    assert folds.total is None
    assert Folds(X, y, None, list(KFold(3).split(X)), centre=True).total.n_rows == 30
