import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import cross_val_score

from gramian.base.errors import ParameterError
from gramian.linear_model import LogisticRegression
from gramian.tree import (
    DecisionTreeClassifier,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
    export_text,
    prune_reduced_error,
)


@pytest.mark.parametrize("split", ["logistic", "ridge", "least_squares", LogisticRegression(C=10)])
def test_one_oblique_split_replaces_a_staircase(split, diagonal):
    X, y = diagonal
    oblique = ObliqueTreeClassifier(split=split).fit(X, y)
    straight = DecisionTreeClassifier().fit(X, y)
    assert oblique.score(X, y) == 1
    assert oblique.get_n_leaves() <= 8
    assert straight.get_n_leaves() > 2 * oblique.get_n_leaves()
    w = oblique.directions_[0]
    assert abs(w[0] / w[1] - 1) < 0.2


def test_several_classes_and_real_data():
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(ObliqueTreeClassifier(min_samples_leaf=3), X, y).mean() > 0.94


def test_regression_along_a_slanted_edge(rng):
    X = rng.uniform(-1, 1, size=(300, 2))
    y = np.where(X[:, 0] + 2 * X[:, 1] > 0, 3.0, -1.0)
    model = ObliqueTreeRegressor(max_depth=2).fit(X, y)
    assert model.score(X, y) > 0.9
    X, y = load_diabetes(return_X_y=True)
    oblique = cross_val_score(ObliqueTreeRegressor(max_depth=2), X, y).mean()
    assert oblique > 0.3


def test_oblique_trees_can_be_pruned_and_exported(diagonal, rng):
    X, y = diagonal
    y = y ^ (rng.random(len(y)) < 0.2)
    grown = ObliqueTreeClassifier().fit(X[:200], y[:200])
    pruned = prune_reduced_error(grown, X[200:], y[200:]).estimator
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    assert pruned.score(X[200:], y[200:]) >= grown.score(X[200:], y[200:])
    text = export_text(pruned, feature_names=["width", "height"])
    assert "width" in text
    assert " height <= " in text


def test_depth_zero_is_one_leaf(diagonal):
    X, y = diagonal
    assert ObliqueTreeClassifier(max_depth=0).fit(X, y).get_n_leaves() == 1


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_targets_of_any_size(rng, scale):
    X = rng.normal(size=(80, 3))
    y = X @ [1.0, -2.0, 0.5]
    plain = ObliqueTreeRegressor(max_depth=4).fit(X, y).predict(X)
    assert_allclose(ObliqueTreeRegressor(max_depth=4).fit(X, y * scale).predict(X) / scale, plain)


def test_a_function_of_the_proportions_is_a_criterion(diagonal):
    X, y = diagonal
    own = ObliqueTreeClassifier(criterion=lambda p: 1 - (p**2).sum(axis=1)).fit(X, y)
    gini = ObliqueTreeClassifier().fit(X, y)
    assert_allclose(own.tree_.impurity, gini.tree_.impurity)
    with pytest.raises(ParameterError, match="concave"):
        ObliqueTreeClassifier(criterion=lambda p: (1 - p.max(axis=1)) ** 2).fit(X, y)
