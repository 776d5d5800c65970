"""Subtree replacement by any estimate of errors."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeClassifier as Theirs

from gramian.base.errors import DataError, ParameterError
from gramian.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ModelTreeRegressor,
    node_errors,
    prune_cost_complexity,
    prune_pessimistic,
    prune_reduced_error,
    raise_subtrees,
    replace_subtrees,
)


def noisy(rng, n=240):
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] > 0).astype(int) ^ (rng.random(n) < 0.25)


def test_errors_of_nodes_on_rows_held_out(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier(max_depth=3).fit(X[:160], y[:160])
    errors = node_errors(grown, X[160:], y[160:])
    majority = np.bincount(y[:160]).argmax()
    assert errors[0] == (y[160:] != majority).sum()
    leaves = grown.tree_.n_children == 0
    assert errors[leaves].sum() == pytest.approx((grown.predict(X[160:]) != y[160:]).sum())


def test_a_class_the_tree_does_not_know_is_always_an_error():
    grown = DecisionTreeClassifier().fit([[0.0], [1.0]], ["a", "b"])
    assert_array_equal(node_errors(grown, [[0.0]], ["z"]), [1, 1, 0])


def test_subtrees_are_replaced_from_the_leaves_up(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier(max_depth=3).fit(X, y)
    tree = grown.tree_
    smallest, curve = replace_subtrees(grown, np.zeros(tree.node_count))
    assert smallest.get_n_leaves() == curve.n_leaves[curve.chosen] == 1
    depth = tree.depth.astype(float)
    kept, curve = replace_subtrees(grown, 10.0 ** (-2 * depth))
    assert kept.get_n_leaves() == curve.n_leaves[curve.chosen] == tree.n_leaves
    assert curve.train_error[0] == pytest.approx(1 - grown.score(X, y))
    with pytest.raises(DataError, match="one finite number for each"):
        replace_subtrees(grown, [1.0])


def test_trees_that_cannot_be_pruned_are_rejected():
    X, y = load_diabetes(return_X_y=True)
    number = DecisionTreeRegressor(max_depth=3).fit(X, y)
    model = ModelTreeRegressor(max_depth=3).fit(X, y)
    for prune in (prune_pessimistic, lambda tree: raise_subtrees(tree, X, y)):
        with pytest.raises(DataError, match="must be a classifier"):
            prune(number)
    # Its linear models belong to nodes, which pruning would number anew.
    for prune in (
        lambda: prune_reduced_error(model, X, y),
        lambda: prune_cost_complexity(model, X, y),
        lambda: replace_subtrees(model, np.zeros(model.tree_.node_count)),
    ):
        with pytest.raises(DataError, match="linear model in every node"):
            prune()
    with pytest.raises(DataError, match="got a DecisionTreeClassifier of sklearn"):
        prune_pessimistic(Theirs().fit(X, y > 100))
    with pytest.raises(ParameterError, match="'one_standard_error' or 'least'; got 'best'"):
        prune_cost_complexity(number, X, y, rule="best")
