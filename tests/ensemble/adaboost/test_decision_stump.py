"""Decision stumps."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

import gramian
from gramian import (
    AdaBoostClassifier,
    DecisionStump,
)
from tests.ensemble.problems import sphere


def test_weighted_error_as_the_criterion(rng):
    X, y = sphere(300, 6)
    by_error = DecisionStump(criterion="error").fit(X, y)
    gini = DecisionStump().fit(X, y)
    assert by_error.score(X, y) >= gini.score(X, y)
    assert AdaBoostClassifier(by_error, n_estimators=30).fit(X, y).score(X, y) > 0.8


def brute_force(X, y, w, criterion):
    """Return the least weighted impurity or error of any feature and threshold."""
    best = np.inf
    for column in X.T:
        for cut in np.unique(column)[:-1]:
            cost = 0.0
            for side in (column <= cut, column > cut):
                counts = np.bincount(y[side], weights=w[side], minlength=3)
                total = counts.sum()
                if criterion == "gini":
                    cost += total - (counts**2).sum() / max(total, 1e-300)
                else:
                    cost += total - counts.max()
            best = min(best, cost)
    return best


@pytest.mark.parametrize("criterion", ["gini", "error"])
@pytest.mark.parametrize("seed", range(4))
def test_no_other_feature_or_threshold_is_better(criterion, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 9, size=(40, 3)).astype(float), rng.integers(3, size=40)
    w = rng.integers(0, 4, size=40).astype(float)
    stump = DecisionStump(criterion=criterion).fit(X, y, w)
    left = X[:, stump.feature_] <= stump.threshold_
    one = brute_force(X[:, [stump.feature_]], y, w, criterion)
    assert one == pytest.approx(brute_force(X[w > 0], y[w > 0], w[w > 0], criterion))
    for side, p in zip((left, ~left), stump.value_, strict=True):
        counts = np.bincount(y[side], weights=w[side], minlength=3)
        assert_allclose(p, counts / counts.sum())
    assert_array_equal(stump.predict(X), stump.tree_.predict(X)[:, 0].argmax(axis=1))


def test_constant_features_leave_one_leaf():
    stump = DecisionStump().fit(np.ones((3, 2)), [0, 1, 1])
    assert (stump.feature_, stump.tree_.node_count) == (-1, 1)
    assert stump.predict([[1.0, 1.0]]).tolist() == [1]
    assert_allclose(stump.predict_proba([[1.0, 1.0]]), [[1 / 3, 2 / 3]])


@pytest.mark.parametrize("light", [5e-324, 1e-150])
def test_probabilities_of_a_side_without_weight_sum_to_one(light):
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    w = np.array([light, light, light, 1.0, 1.0, 1e150])
    stump = gramian.DecisionStump().fit(X, y, sample_weight=w)
    np.testing.assert_allclose(stump.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array, sp.dok_array, sp.csr_matrix])
@pytest.mark.parametrize("threshold", [-0.5, 0.5])
def test_sparse_rows_have_the_same_side_as_dense_ones(form, threshold):
    X = np.array([[0.0, 1.0], [2.0, 0.0], [-1.0, 0.0], [0.0, 3.0]])
    model = gramian.AdaBoostClassifier(n_estimators=3).fit(X, X[:, 0] > threshold)
    assert model.predict(form(X)).tolist() == model.predict(X).tolist()
