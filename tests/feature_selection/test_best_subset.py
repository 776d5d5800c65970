"""The best subsets of each size."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.ensemble import AdaBoostClassifier
from sklearn.feature_selection import SelectFromModel

from gramian import BestSubsetSelector, Lasso, LassoCV
from gramian.feature_selection import best_subsets
from tests.feature_selection.refits import every_setting, far_from_zero, predictions, refitted_score


def rss(X, y, columns):
    A = np.column_stack([X[:, list(columns)], np.ones(len(y))])
    return float(np.square(y - A @ np.linalg.lstsq(A, y, rcond=None)[0]).sum())


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 9999), d=st.integers(1, 8), alike=st.floats(0, 3))
def test_best_subsets_equal_exhaustive_search(seed, d, alike):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, d)) + alike * rng.normal(size=(30, 1))
    y = X @ rng.normal(size=d) + rng.normal(size=30)
    found = best_subsets(X, y)
    for size in range(d + 1):
        best = min(rss(X, y, columns) for columns in combinations(range(d), size))
        assert found.rss[size] == pytest.approx(best, rel=1e-8)
        assert found.supports[size].sum() == size
        assert rss(X, y, np.flatnonzero(found.supports[size])) == pytest.approx(best, rel=1e-8)


@pytest.mark.parametrize("scale", [1e150, 1e-150])
def test_best_subsets_of_any_scale(scale):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    y = X[:, 1] - X[:, 4] + rng.normal(size=40)
    plain, scaled = best_subsets(X, y), best_subsets(X * scale, y * scale)
    np.testing.assert_array_equal(scaled.supports, plain.supports)
    with pytest.raises(ValueError, match="column 6 is constant or linearly dependent"):
        best_subsets(np.c_[X, X[:, 0] + X[:, 1]] * scale, y * scale)


def test_most_of_a_million_subsets_are_pruned():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 20))
    found = best_subsets(X, X[:, :3].sum(axis=1) + rng.normal(size=200), max_size=6)
    assert found.nodes < 2**20 / 100
    assert len(found.rss) == 7
    assert np.flatnonzero(found.supports[3]).tolist() == [0, 1, 2]


def test_size_by_a_criterion_and_by_folds():
    X, y = load_diabetes(return_X_y=True)
    by_bic, by_folds = BestSubsetSelector().fit(X, y), BestSubsetSelector(scoring="r2").fit(X, y)
    assert 4 <= by_bic.support_.sum() <= by_folds.support_.sum() <= 9
    assert BestSubsetSelector(n_features_to_select=2).fit(X, y).support_.sum() == 2


def test_selection_by_the_lasso_and_by_stumps():
    """FE-18: columns with non-zero weight, and columns that stumps use."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 10))
    y = X[:, 1] - 2 * X[:, 5] + 0.1 * rng.normal(size=200)
    chosen = SelectFromModel(Lasso(0.2), threshold=1e-12).fit(X, y)
    assert chosen.get_support(indices=True).tolist() == [1, 5]
    assert SelectFromModel(LassoCV(), threshold=0.5).fit(X, y).get_support().sum() == 2
    stumps = SelectFromModel(AdaBoostClassifier(n_estimators=5, random_state=0), threshold=1e-12)
    assert set(stumps.fit(X, y > 0).get_support(indices=True)) == {1, 5}


@pytest.mark.slow
@every_setting
def test_best_subset_scores_match_refits(scoring, intercept, weighted):
    for seed in range(3):
        X, y, w = far_from_zero(seed)
        w = w if weighted else np.ones(len(y))
        model = BestSubsetSelector(scoring=scoring, fit_intercept=intercept)
        model.fit(X, y, sample_weight=w if weighted else None)
        for support, rss, score in zip(model.supports_, model.rss_, model.scores_, strict=True):
            columns = np.flatnonzero(support).tolist()
            fitted = predictions(X, y, w, columns, intercept, X)
            assert rss == pytest.approx(float(w @ (y - fitted) ** 2), rel=1e-8)
            expected = refitted_score(X, y, w, columns, scoring, intercept)
            assert score == pytest.approx(expected, rel=1e-8, abs=1e-8)
        if scoring in ("aic", "bic"):  # the best of all 2^d subsets
            subsets = [c for size in range(6) for c in combinations(range(5), size)]
            best = max(refitted_score(X, y, w, c, scoring, intercept) for c in subsets)
            assert model.scores_.max() == pytest.approx(best, rel=1e-8, abs=1e-8)
