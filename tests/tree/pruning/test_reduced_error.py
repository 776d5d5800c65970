"""Reduced-error pruning."""

from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

import gramian
from gramian.base.errors import DataError
from gramian.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    prune_reduced_error,
)


def noisy(rng, n=240):
    X = rng.normal(size=(n, 3))
    return X, (X[:, 0] > 0).astype(int) ^ (rng.random(n) < 0.25)


def every_subtree(tree):
    """All trees that cutting can give, as masks of leaves."""
    inner = np.flatnonzero(tree.n_children)
    for stops in product([False, True], repeat=len(inner)):
        yield tree.cut(inner[list(stops)]) if any(stops) else tree


def test_reduced_error_finds_the_best_of_all_subtrees(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier(max_depth=4, min_samples_leaf=10).fit(X[:160], y[:160])
    assert 5 < grown.get_n_leaves() < 16
    best = prune_reduced_error(grown, X[160:], y[160:]).estimator
    errors = [
        (t.predict(X[160:])[:, 0].argmax(axis=1) != y[160:]).sum()
        for t in every_subtree(grown.tree_)
    ]
    ours = (best.predict(X[160:]) != y[160:]).sum()
    assert ours == min(errors)
    sizes = [
        t.n_leaves for t, e in zip(every_subtree(grown.tree_), errors, strict=True) if e == ours
    ]
    assert best.get_n_leaves() == min(sizes)


def test_pruning_does_not_modify_the_tree_and_the_curve_ends_at_the_root(rng):
    X, y = noisy(rng)
    grown = DecisionTreeClassifier().fit(X[:160], y[:160])
    before = grown.tree_
    pruned, curve = prune_reduced_error(grown, X[160:], y[160:])
    assert grown.tree_ is before
    assert type(pruned) is DecisionTreeClassifier
    assert curve.n_leaves[0] == grown.get_n_leaves()
    assert curve.n_leaves[-1] == 1
    assert (np.diff(curve.n_leaves) < 0).all()
    assert curve.train_error[0] == pytest.approx(0)
    assert (np.diff(curve.train_error) >= -1e-12).all()
    assert curve.estimated_error[0] == pytest.approx(1 - grown.score(X[160:], y[160:]))
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    assert 1 - pruned.score(X[160:], y[160:]) <= curve.estimated_error.min() + 1e-12


def test_regression_trees_are_pruned_by_squared_errors():
    X, y = load_diabetes(return_X_y=True)
    grown = DecisionTreeRegressor().fit(X[:300], y[:300])
    pruned, curve = prune_reduced_error(grown, X[300:], y[300:])
    assert pruned.get_n_leaves() < grown.get_n_leaves() / 4
    error = np.mean((pruned.predict(X[300:]) - y[300:]) ** 2)
    assert error <= curve.estimated_error.min() + 1e-9
    assert pruned.score(X[300:], y[300:]) > grown.score(X[300:], y[300:])


def test_rows_and_targets_must_have_equal_length():
    grown = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(DataError, match=r"y must have shape \(2,\), one target per row"):
        prune_reduced_error(grown, [[0.0], [1.0]], [0])
    number = DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(DataError, match="NaN"):
        prune_reduced_error(number, [[0.0], [1.0]], [np.nan, 1.0])


def test_several_outputs_are_pruned_by_the_mean_of_their_errors(rng):
    X, y = noisy(rng)
    both = np.column_stack([y, X[:, 1] > 0])
    grown = DecisionTreeClassifier().fit(X[::2], both[::2])
    pruned, curve = prune_reduced_error(grown, X[1::2], both[1::2])
    wrong = (pruned.predict(X[1::2]) != both[1::2]).mean()
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    assert curve.estimated_error.min() == pytest.approx(wrong)


def test_c45_without_pruning_rows():
    model = gramian.C45Classifier(pruning="reduced_error", min_samples_leaf=2)
    assert model.fit([[0.0], [1.0]], [0, 1]).get_n_leaves() >= 1
