"""Depth and leaves of an estimator with one tree."""

import pytest
from sklearn.exceptions import NotFittedError

from gramian.tree import (
    C45Classifier,
    DecisionTreeClassifier,
    ModelTreeRegressor,
    ObliqueTreeClassifier,
)

X, Y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, ObliqueTreeClassifier])
def test_a_band_needs_two_splits_below_each_other(kind):
    model = kind().fit(X, Y)
    assert (model.get_depth(), model.get_n_leaves()) == (2, 3)
    assert not model.parametric


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, C45Classifier, ModelTreeRegressor])
def test_an_unfitted_tree_has_no_depth(kind):
    with pytest.raises(NotFittedError):
        kind().get_depth()
    with pytest.raises(NotFittedError):
        kind().get_n_leaves()
