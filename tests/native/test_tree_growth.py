"""The grower against the method written out: every split of every node by brute force."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gramian
from gramian import _native
from gramian.tree.growth.grow import Targets, arrays_of, tree_of
from gramian.tree.structure.tree import Tree

Impurity = Callable[[np.ndarray, np.ndarray], float]


def gini(y: np.ndarray, w: np.ndarray) -> float:
    p = np.bincount(y, weights=w) / w.sum()
    return float(1 - (p**2).sum())


def entropy(y: np.ndarray, w: np.ndarray) -> float:
    p = np.bincount(y, weights=w) / w.sum()
    return float(-(p[p > 0] * np.log2(p[p > 0])).sum())


def misclassification(y: np.ndarray, w: np.ndarray) -> float:
    return float(1 - np.bincount(y, weights=w).max() / w.sum())


def squared_error(y: np.ndarray, w: np.ndarray) -> float:
    return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))


def absolute_error(y: np.ndarray, w: np.ndarray) -> float:
    # The least of the convex function is at one of the points.
    return float(min(np.average(np.abs(y - c), weights=w) for c in y))


def worst_error(y: np.ndarray, w: np.ndarray) -> float:
    return float(y.max() - y.min()) / 2


def poisson(y: np.ndarray, w: np.ndarray) -> float:
    mean = np.average(y, weights=w)
    if mean == 0:
        return np.inf
    terms = np.where(y > 0, y * np.log(np.maximum(y, 1e-300) / mean), 0.0)
    return float(np.average(terms, weights=w))


IMPURITIES: dict[str, Impurity] = {
    "gini": gini,
    "entropy": entropy,
    "misclassification": misclassification,
    "squared_error": squared_error,
    "absolute_error": absolute_error,
    "worst_error": worst_error,
    "poisson": poisson,
}
NUMBERS = ("squared_error", "absolute_error", "worst_error", "poisson")


def grow(X, y, criterion, weights=None, levels=None, **settings: Any) -> Tree:
    options = _native.GrowOptions()
    options.criterion = getattr(_native.TreeCriterion, criterion)
    options.max_depth = 2**31
    options.max_features = X.shape[1]
    for name, value in settings.items():
        setattr(options, name, value)
    numbers = criterion in NUMBERS
    columns = y.reshape(len(y), -1)
    targets = Targets(
        None if numbers else np.ascontiguousarray(columns, dtype=np.uint16),
        np.ascontiguousarray(columns, dtype=np.float64) if numbers else None,
        1 if numbers else int(y.max()) + 1,
    )
    counts = np.zeros(X.shape[1], np.int32) if levels is None else np.array(levels, np.int32)
    table = _native.TreeColumns(np.ascontiguousarray(X), counts)
    grown = _native.grow_tree(table, targets.native(weights), options, 0)
    return tree_of(grown, counts, targets, options)


def after(criterion: str, y, w, left) -> float:
    """The impurity after a split, as the criterion counts it."""
    both = [IMPURITIES[criterion](y[s], w[s]) for s in (left, ~left)]
    if criterion == "worst_error":
        return max(both)
    return (w[left].sum() * both[0] + w[~left].sum() * both[1]) / w.sum()


def least_after(X, y, w, criterion: str, least: int) -> float:
    """The best that any threshold of any column, with missing values on either side, reaches."""
    best = np.inf
    for x in X.T:
        missing = np.isnan(x)
        for cut in np.unique(x[~missing]):
            for left in (x <= cut, (x <= cut) | missing):
                if min(left.sum(), (~left).sum()) >= least:
                    best = min(best, after(criterion, y, w, left))
    return best


def check_every_split(tree: Tree, X, y, w, criterion: str, least: int = 1) -> None:
    """Each node divides as well as any split could, and says what it holds."""
    inside = tree.decision_path(X).toarray().astype(bool)
    for t in range(tree.node_count):
        rows = inside[:, t] & (w > 0)
        assert tree.samples[t] == rows.sum()
        assert tree.weight[t] == pytest.approx(w[rows].sum())
        impurity = IMPURITIES[criterion](y[rows], w[rows])
        assert tree.impurity[t] == pytest.approx(impurity, abs=1e-9)
        if tree.n_children[t]:
            left = inside[rows, tree.first_child[t]]
            found = after(criterion, y[rows], w[rows], left)
            best = least_after(X[rows], y[rows], w[rows], criterion, least)
            assert found == pytest.approx(best, abs=1e-9)
            assert min(left.sum(), (~left).sum()) >= least
        elif impurity > 1e-9 and rows.sum() >= 2 * least:
            assert least_after(X[rows], y[rows], w[rows], criterion, least) == np.inf


def targets_for(criterion: str, n: int, rng: np.random.Generator) -> np.ndarray:
    if criterion == "poisson":
        return rng.poisson(2.0, n).astype(np.float64)
    return rng.standard_normal(n) if criterion in NUMBERS else rng.integers(0, 3, n)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("criterion", IMPURITIES)
def test_every_split_is_the_best(criterion, ties, dtype, rng):
    X = rng.standard_normal((60, 3)).astype(dtype)
    X = np.round(X) if ties else X
    y = targets_for(criterion, 60, rng)
    check_every_split(grow(X, y, criterion), X, y, np.ones(60), criterion)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", IMPURITIES)
def test_weights_missing_values_and_small_leaves(criterion, rng):
    X = rng.standard_normal((60, 3))
    X[rng.random(X.shape) < 0.15] = np.nan
    y = targets_for(criterion, 60, rng)
    for w in (rng.integers(0, 4, 60).astype(float), rng.random(60)):
        tree = grow(X, y, criterion, w, min_samples_leaf=4)
        check_every_split(tree, X, y, w, criterion, 4)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_two_classes(criterion, rng):
    X, y = rng.standard_normal((80, 2)).astype(np.float32), rng.integers(0, 2, 80)
    for w in (None, rng.integers(1, 4, 80).astype(float), rng.random(80)):
        tree = grow(X, y, criterion, w)
        check_every_split(tree, X, y, np.ones(80) if w is None else w, criterion)


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_categories_divide_as_well_as_any_two_sets(criterion, rng):
    levels = 6
    code = rng.integers(0, levels, 120)
    y = rng.integers(0, 2, 120) if criterion == "gini" else rng.standard_normal(120)
    y = y ^ (code % 2 == rng.integers(0, 2, 120)) if criterion == "gini" else y + code % 3
    tree = grow(code[:, None].astype(float), y, criterion, levels=[levels], max_depth=1)
    best = min(
        after(
            criterion, y, np.ones(120), np.isin(code, [k for k in range(levels) if bits >> k & 1])
        )
        for bits in range(1, 2**levels - 1)
    )
    left = tree.apply(code[:, None].astype(float)) == 1
    assert after(criterion, y, np.ones(120), left) == pytest.approx(best)


def assert_same_trees(a, b):
    for name in a.keys() - {"levels"}:
        if name in ("weight", "impurity", "value"):  # sums of the rows in another order
            np.testing.assert_allclose(a[name], b[name], rtol=1e-9, atol=1e-12, err_msg=name)
        else:
            np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.parametrize("numbers", [False, True])
def test_lists_and_sorted_nodes_give_one_tree(numbers, rng):
    # With one column drawn of one, nodes are sorted when asked; lists are kept when half are.
    X = rng.standard_normal((3000, 3)).astype(np.float32)
    X[rng.random(X.shape) < 0.02] = np.nan
    y = X[:, 0] + rng.standard_normal(3000)
    y = np.nan_to_num(y) if numbers else (np.nan_to_num(y) > 0).astype(int)
    criterion = "squared_error" if numbers else "gini"
    constant = np.zeros((3000, 9), np.float32)  # columns of one value are passed over
    lists = grow(X, y, criterion)
    drawn = [
        grow(np.hstack([X[:, [0]], constant]), y, criterion, max_features=1),
        grow(X[:, [0]], y, criterion),
    ]
    assert_same_trees(drawn[0].arrays(), drawn[1].arrays())
    assert lists.node_count > 100


@pytest.mark.parametrize("settings", [{}, {"max_features": 2}, {"random_split": True}])
@pytest.mark.parametrize("n", [3000, 70000])
def test_the_same_tree_for_any_number_of_threads(n, settings, rng):
    X = rng.standard_normal((n, 6)).astype(np.float32)
    X[:, 5] = rng.integers(0, 70, n)
    y = (X[:, 0] * X[:, 1] + rng.standard_normal(n) > 0).astype(int)
    trees = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        trees.append(grow(X, y, "gini", levels=[0] * 5 + [70], max_depth=14, **settings))
    for other in trees[1:]:
        for name, array in trees[0].arrays().items():
            np.testing.assert_array_equal(array, getattr(other, name), err_msg=name)


def test_more_categories_than_short_codes_hold(rng):
    code = rng.permutation(np.repeat(np.arange(70000), 2)).astype(np.float64)
    y = (code % 7 < 3).astype(int)
    tree = grow(code[:, None], y, "gini", levels=[70000])
    assert tree.node_count == 3
    assert (tree.predict(code[:, None])[:, 0].argmax(axis=1) == y).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_several_outputs_divide_as_well_as_any_split_could(weighted, rng):
    X = rng.integers(0, 9, (60, 3)).astype(float)
    X[rng.random(X.shape) < 0.05] = np.nan
    Y = np.column_stack([np.nansum(X, axis=1), rng.normal(size=60), X[:, 0] > 4])
    w = rng.integers(1, 4, 60).astype(float) if weighted else np.ones(60)
    tree = grow(X, Y, "squared_error", w if weighted else None, min_samples_leaf=4)
    inside = tree.decision_path(X).toarray().astype(bool)
    assert tree.node_count > 7
    for t in np.flatnonzero(tree.n_children):
        rows, left = inside[:, t], inside[inside[:, t]][:, tree.first_child[t]]
        y, v = Y[rows], w[rows]
        found = np.mean([after("squared_error", column, v, left) for column in y.T])
        best = np.inf
        for x in X[rows].T:
            missing = np.isnan(x)
            for cut in np.unique(x[~missing]):
                for side in (x <= cut, (x <= cut) | missing):
                    if min(side.sum(), (~side).sum()) >= 4:
                        both = [after("squared_error", column, v, side) for column in y.T]
                        best = min(best, np.mean(both))
        assert found == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("random_split", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_an_output_given_twice_grows_the_same_tree(random_split, missing, weighted, rng):
    X = rng.normal(size=(300, 5))
    y = X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=300)
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
    w = rng.integers(1, 4, 300).astype(float) if weighted else None
    settings = {"random_split": random_split, "max_features": 3, "min_samples_leaf": 2}
    once = grow(X, y, "squared_error", w, **settings)
    twice = grow(X, np.column_stack([y, y]), "squared_error", w, **settings)
    assert once.node_count > 50
    np.testing.assert_array_equal(once.feature, twice.feature)
    np.testing.assert_array_equal(once.threshold, twice.threshold)
    np.testing.assert_allclose(once.value, twice.value[:, 1:], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("bins", [3, 40, 10**9])
@pytest.mark.parametrize("number", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_narrow_lists_give_the_same_tree(bins, number, weighted):
    """A column of one category needs wider entries and divides nothing."""
    draws = np.random.default_rng(bins)
    n = 70_000  # too many for short entries
    X = np.floor(draws.random((n, 4)) * bins)
    code = ((X[:, 0] + X[:, 1] > bins) + (draws.random(n) < 0.1)).astype(np.uint16)
    value = code + X[:, 2] / bins if number else None
    targets = Targets(None if number else code[:, None], value, 1 if number else 3)
    targets = targets._replace(values=None if value is None else value[:, None])
    weights = draws.integers(0, 3, n).astype(float) if weighted else None
    criterion = "squared_error" if number else "gini"

    def grown(X, levels):
        options = _native.GrowOptions()
        options.criterion = getattr(_native.TreeCriterion, criterion)
        options.max_depth, options.max_features = 9, X.shape[1]
        columns = _native.TreeColumns(np.ascontiguousarray(X), np.array(levels, dtype=np.int32))
        for alone in (True, False):
            tree = _native.grow_tree(columns, targets.native(weights), options, 0, alone=alone)
            yield arrays_of(tree, targets, options)

    more_columns = np.column_stack([X, np.zeros(n)])
    first, *others = [*grown(X, [0] * 4), *grown(more_columns, [0] * 4 + [1])]
    assert first["kind"].size > 31
    for other in others:
        assert_same_trees(first, other)
