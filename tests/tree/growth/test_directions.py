"""Directions for oblique splits."""

import pytest
from numpy.testing import assert_allclose
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Perceptron

from gramian.base.errors import ParameterError
from gramian.tree import (
    DecisionTreeClassifier,
    ObliqueTreeClassifier,
)


def test_centroids_give_the_line_between_the_means(diagonal):
    X, y = diagonal
    w = ObliqueTreeClassifier(split="centroid", axis_parallel=False).fit(X, y).directions_[0]
    scale = X.std(axis=0)
    expected = (X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)) / scale**2
    assert_allclose(w, expected)


def test_any_estimator_with_weights_can_split(diagonal):
    X, y = diagonal
    model = ObliqueTreeClassifier(split=Perceptron(random_state=0)).fit(X, y)
    assert model.score(X, y) == 1


def test_more_random_lines_are_better(diagonal):
    X, y = diagonal
    few, many = (
        ObliqueTreeClassifier(
            split="random", n_candidates=m, axis_parallel=False, max_depth=1, random_state=0
        ).fit(X, y)
        for m in (1, 200)
    )
    assert many.score(X, y) > max(few.score(X, y), 0.95)


def test_a_model_may_fail_in_small_nodes_but_not_at_the_root(diagonal, rng):
    X, y = diagonal
    noise = y ^ (rng.random(len(y)) < 0.2)
    # Discriminant analysis refuses nodes with as many rows as classes.
    model = ObliqueTreeClassifier(split=LinearDiscriminantAnalysis()).fit(X, noise)
    assert model.score(X, noise) == 1
    with pytest.raises(ValueError, match="number of samples"):
        ObliqueTreeClassifier(split=LinearDiscriminantAnalysis()).fit(X[:2], [0, 1])
    with pytest.raises(ParameterError, match="estimator with coef_ after fit"):
        ObliqueTreeClassifier(split=DecisionTreeClassifier()).fit(X, y)
