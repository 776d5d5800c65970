"""Least squares on any columns by sweeps of cross-products."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

from gramian import BestSubsetSelector, StepwiseSelector
from gramian.base.rows.moments import Rows
from gramian.feature_selection.sweep_operator import SweepModel, summaries


@pytest.mark.parametrize("exact", [True, False])
def test_without_an_intercept_the_true_columns_are_found(exact):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    X[:, 0] += 5
    y = X[:, 0] + 0.3 * X[:, 1] + (0 if exact else 0.05) * rng.normal(size=60)
    for selector in (StepwiseSelector, BestSubsetSelector):
        model = selector(scoring="bic", fit_intercept=False).fit(X, y)
        assert model.get_support(indices=True).tolist() == [0, 1]


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("held_out", [False, True])
def test_errors_match_least_squares_on_the_columns_inside(intercept, held_out, rng):
    X, y = rng.normal(size=(40, 4)) + 2, rng.normal(size=40)
    fit, validation = np.arange(25), np.arange(25, 40) if held_out else np.arange(25)
    ((of_fit, of_validation),) = summaries(X, y, None, [(fit, validation)])
    swept = SweepModel(of_fit, of_validation if held_out else None, intercept=intercept)

    def error(columns):
        A = np.column_stack([X[:, columns], np.ones(40)]) if intercept else X[:, columns]
        if A.shape[1] == 0:
            return (y[validation] ** 2).sum()
        w = np.linalg.lstsq(A[fit], y[fit])[0]
        return ((y[validation] - A[validation] @ w) ** 2).sum()

    in_model = []
    for j in (2, 0, 3):
        after = swept.errors_after()
        for k in set(range(4)) - set(in_model):
            assert after[k] == pytest.approx(error([*in_model, k]), rel=1e-8)
        assert np.isinf(after[in_model]).all()
        swept.enter(j)
        in_model.append(j)
        assert swept.error() == pytest.approx(error(in_model), rel=1e-8)


def test_dependent_columns_are_no_candidates(rng):
    X = rng.normal(size=(30, 2))
    X = np.column_stack([X, X[:, 0] + 1])
    ((of_fit, _),) = summaries(X, rng.normal(size=30), None, [(np.arange(30), np.arange(30))])
    swept = SweepModel(of_fit, None, intercept=True)
    assert swept.candidates().tolist() == [True, True, True]
    swept.enter(0)
    assert swept.candidates().tolist() == [False, True, False]


def test_summaries_of_folds_match_their_rows(rng):
    """Training rows of a partition by subtraction, others by passes."""
    X, y, w = rng.normal(size=(20, 3)) + 5, rng.normal(size=20), rng.random(20)
    for splitter in (KFold(4), ShuffleSplit(3, test_size=0.3, random_state=0)):
        splits = list(splitter.split(X))
        for (fit, validation), found in zip(splits, summaries(X, y, w, splits), strict=True):
            for part, summary in zip((fit, validation), found, strict=True):
                plain = Rows.of(X[part], y[part, None], w[part]).summarise()
                np.testing.assert_allclose(summary.centred(), plain.centred(), atol=1e-9)
                assert summary.weight == pytest.approx(w[part].sum())
