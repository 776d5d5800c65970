"""Predictions, paths and importances of fitted forests."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from gramian.base.errors import ParameterError
from gramian.ensemble import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from tests.tree.table import interactions


def test_the_forest_is_the_mean_of_its_trees() -> None:
    X, y = interactions(400, 6)
    labels = np.digitize(y, [-1, 1])
    forest = RandomForestClassifier(7, random_state=0).fit(X, labels)
    mean = np.mean([tree.predict_proba(X) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), mean)
    leaves = np.column_stack([tree.apply(X) for tree in forest.estimators_])
    np.testing.assert_array_equal(forest.apply(X), leaves)
    single = np.mean([tree.feature_importances_ for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, single)
    paths, starts = forest.decision_path(X)
    assert paths.shape == (400, starts[-1])
    assert (paths.sum(axis=1) >= 7).all()


def test_one_row_at_a_time_agrees() -> None:
    X, y = interactions(400, 6)
    forest = RandomForestClassifier(21, random_state=0).fit(X, y > 0)
    whole = forest.predict_proba(X)
    for i in range(30):
        np.testing.assert_allclose(forest.predict_proba(X[i : i + 1])[0], whole[i], atol=1e-12)


def test_proximity_is_the_fraction_of_common_leaves() -> None:
    X, y = interactions(60, 6)
    forest = RandomForestRegressor(15, random_state=0, max_depth=4).fit(X, y)
    leaves = forest.apply(X)
    expected = (leaves[:, None] == leaves[None]).mean(axis=2)
    np.testing.assert_allclose(forest.proximity(X), expected)
    np.testing.assert_allclose(forest.proximity(X[:5], X[20:]), expected[:5, 20:])


def test_feature_counts_are_the_splits_on_each_feature() -> None:
    X, y = interactions(1000, 8)
    X[:, 5] = 1.0  # says nothing
    forest = RandomForestRegressor(20, random_state=0, max_depth=3).fit(X, y)
    counts = forest.feature_counts_
    by_tree = [np.bincount(t.feature[t.feature >= 0], minlength=8) for t in forest.forest_]
    np.testing.assert_array_equal(counts, np.sum(by_tree, axis=0))
    assert counts[5] == 0
    assert counts[:3].min() > counts[6:].max()


def test_predict_after_a_failed_fit_raises_not_fitted() -> None:
    X, y = interactions(50, 6)
    model = RandomForestRegressor(3, oob_score=True, bootstrap=False)
    with pytest.raises(ParameterError, match="oob_score"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X[:2])
