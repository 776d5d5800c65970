"""Bins, histogram trees, losses and stumps against plain NumPy."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit

from gramian import _native, set_num_threads
from gramian.ensemble.adaboost.decision_stump import StumpSearch
from gramian.ensemble.common.bins import Bins
from gramian.ensemble.hist_boosting.boosted_trees import Grown


def codes_of(bins: Bins, X):
    """Codes as a plain (rows, columns) array."""
    grouped, missing = bins.codes(X)
    return grouped.transpose(1, 0, 2).reshape(len(X), -1)[:, : X.shape[1]], missing


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("distinct", [3, 250, 4000])
def test_codes_count_the_cuts_below_a_value(rng, dtype, distinct):
    X = rng.integers(distinct, size=(5000, 9)).astype(dtype) / 7
    X[rng.random(X.shape) < 0.01] = np.nan
    bins = Bins.of(X, None, [None] * 9, 255, seed=0)
    codes, missing = codes_of(bins, X)
    assert missing.all()
    for j in range(9):
        known = ~np.isnan(X[:, j])
        cuts = bins.cuts[j, : bins.n_cuts[j]]
        assert (np.diff(cuts) > 0).all()
        assert_array_equal(codes[known, j], np.searchsorted(cuts, X[known, j], side="left"))
        assert (codes[~known, j] == bins.missing[j // 8]).all()
        if distinct <= 250:
            assert bins.n_bins[j] == len(np.unique(X[known, j]))
        else:
            assert 240 <= bins.n_bins[j] <= 255
            assert np.bincount(codes[known, j]).max() < 3 * len(X) / 255


def test_a_weight_is_a_repeated_row_for_quantiles(rng):
    X = rng.normal(size=(600, 3))
    weights = rng.integers(1, 4, size=600)
    weighted = Bins.of(X, weights.astype(float), [None] * 3, 64, seed=0)
    repeated = Bins.of(np.repeat(X, weights, axis=0), None, [None] * 3, 64, seed=0)
    assert_array_equal(weighted.cuts, repeated.cuts)


def test_rare_categories_share_the_last_bin(rng):
    X = np.minimum(rng.geometric(0.03, size=4000) - 1, 99).astype(float)[:, None]
    levels = np.arange(100.0)
    bins = Bins.of(X, None, [levels], 16, seed=0)
    counts = np.bincount(X[:, 0].astype(int), minlength=100)
    own = bins.category_bin < 15
    assert own.sum() == 15
    assert counts[own].min() >= counts[~own].max()


def grower_arguments(X, *, leaves=8, least=5, l2=0.0, monotone=None, max_bins=255):
    d = X.shape[1]
    bins = Bins.of(X, None, [None] * d, max_bins, seed=0)
    codes, missing = bins.codes(X)
    signs = np.zeros(d, np.int8) if monotone is None else np.array(monotone, np.int8)
    none = np.empty(0, np.int64), np.empty(0, np.int32)
    categories = np.zeros(d, np.uint8)
    columns = _native.BinnedColumns(
        codes, bins.n_bins, bins.missing, missing, categories, signs, none
    )
    options = _native.BoostingOptions(
        max_leaves=leaves, max_depth=0, min_samples_leaf=least, l2=l2, max_features=1.0
    )
    return bins, (columns, options)


def grow(X, g, h, **settings):
    bins, arguments = grower_arguments(X, **settings)
    grower = _native.TreeGrower(*arguments)
    n_nodes = grower.grow(g, h, False, 0, 0)
    return grower, Grown.of(grower.nodes, n_nodes), codes_of(bins, X)[0]


def best_split(codes, g, h, least, l2):
    """Every cut of every column, the obvious way."""
    best = (0.0, -1, -1)
    total = g.sum() ** 2 / (h.sum() + l2)
    for j in range(codes.shape[1]):
        for b in range(codes[:, j].max()):
            left = codes[:, j] <= b
            if min(left.sum(), (~left).sum()) < least:
                continue
            gain = (
                g[left].sum() ** 2 / (h[left].sum() + l2)
                + g[~left].sum() ** 2 / (h[~left].sum() + l2)
                - total
            )
            if gain > best[0] * (1 + 1e-9):
                best = (gain, j, b)
    return best


@pytest.mark.parametrize("constant", [True, False])
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 6, 7, 8, 11])
def test_the_first_split_is_the_best_of_all(rng, constant, columns):
    X = rng.normal(size=(400, columns))
    g = rng.normal(size=400).astype(np.float32)
    h = np.ones(400, np.float32) if constant else rng.uniform(0.1, 1, 400).astype(np.float32)
    grower, tree, codes = grow(X, g, None if constant else h, leaves=2, l2=0.5, max_bins=20)
    _, feature, slot = best_split(codes, g.astype(float), h.astype(float), 5, 0.5)
    assert tree.node_fields[0, 1:3].tolist() == [feature, slot]
    leaf = np.empty(400, np.int32)
    grower.leaves(leaf)
    assert_array_equal(leaf, np.where(codes[:, feature] <= slot, 1, 2))
    for node in (1, 2):
        rows = leaf == node
        step = -g[rows].sum(dtype=float) / (h[rows].sum(dtype=float) + 0.5)
        assert tree.value[node] == pytest.approx(step, rel=1e-6)


def test_leaves_split_where_the_gain_is_largest_and_keep_their_least_rows(rng):
    X = rng.normal(size=(3000, 5)).astype(np.float32)
    g = (X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=3000)).astype(np.float32)
    grower, tree, _ = grow(X, g, None, leaves=20, least=30)
    first, count = tree.node_fields[:, 0], tree.sums[:, 3]
    assert (first == 0).sum() == 20
    assert count[first == 0].min() >= 30
    assert count[0] == 3000
    inner = np.flatnonzero(first)
    assert_allclose(count[inner], count[first[inner]] + count[first[inner] + 1])
    score = np.zeros(3000)
    values = np.ascontiguousarray(tree.value)
    grower.add(values, score)
    leaf = np.empty(3000, np.int32)
    grower.leaves(leaf)
    assert_array_equal(score, tree.value[leaf])


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("n", [300, 40_000, 70_000])
def test_small_leaves_part_from_large_ones(rng, n, heavy):
    """Where few rows leave a node, only these change places."""
    X = rng.normal(size=(n, 9)).astype(np.float32)
    lone = (X > 1.8).any(axis=1)
    g = np.where(lone, 1 + X.max(axis=1), -0.1).astype(np.float32)
    h = rng.uniform(0.5, 1, n).astype(np.float32)
    if heavy:
        g[3] = 1e5
    grower, tree, codes = grow(X, g, h, leaves=25, least=2)
    children, feature, slot = tree.node_fields[:, :3].T
    place = np.zeros(n, dtype=np.int32)
    while (inner := children[place] > 0).any():
        goes_right = codes[np.arange(n), feature[place]] > slot[place]
        place = np.where(inner, children[place] + goes_right, place)
    leaf = np.empty(n, np.int32)
    grower.leaves(leaf)
    assert_array_equal(leaf, place)
    assert_array_equal(tree.sums[children == 0, 3], np.bincount(leaf)[children == 0])
    for node in np.flatnonzero(children == 0):
        rows = leaf == node
        assert tree.sums[node, 1] == pytest.approx(g[rows].sum(dtype=float), rel=1e-9, abs=1e-9)


def test_heavy_tails_keep_their_digits(rng):
    """One gradient a million times the others must not round these away."""
    X = rng.normal(size=(4000, 2))
    g = np.where(X[:, 0] > 0.3, 1.0, -1.0).astype(np.float32)
    g[7] = 3e4
    h = rng.uniform(0.5, 1, 4000).astype(np.float32)
    _, tree, _ = grow(X, g, h, leaves=8, least=1)
    values = tree.value[tree.node_fields[:, 0] == 0]
    assert ((values > 1) & (values < 2)).any() or ((values < -1) & (values > -2)).any()


def test_trees_do_not_depend_on_the_threads(rng):
    X = rng.normal(size=(60_000, 11)).astype(np.float32)
    g = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=60_000)).astype(np.float32)
    h = rng.uniform(0.1, 1, 60_000).astype(np.float32)
    found = []
    for threads in (1, 2, 3):
        set_num_threads(threads)
        grower, tree, _ = grow(X, g, h, leaves=31)
        leaf = np.empty(60_000, np.int32)
        grower.leaves(leaf)
        found.append((tree, leaf))
    for tree, leaf in found[1:]:
        for a, b in zip(found[0][0], tree, strict=True):
            assert_array_equal(a, b)
        assert_array_equal(found[0][1], leaf)


def test_trees_grown_in_parallel_match_those_grown_one_by_one(rng):
    X = rng.normal(size=(5000, 9)).astype(np.float32)
    g = rng.normal(size=(5, 5000)).astype(np.float32) * X[:, 0]
    h = rng.uniform(0.1, 1, (5, 5000)).astype(np.float32)
    for threads in (1, 2, 3):
        set_num_threads(threads)
        _, arguments = grower_arguments(X, leaves=15)
        together, score = _native.IterationGrower(*arguments, 5), np.zeros((5, 5000))
        for first in (10, 0):  # growers are used again
            sizes = together.grow(g, h, True, 7, first, 0.25, score)
        alone, expected = _native.TreeGrower(*arguments), np.zeros(5000)
        for k in range(5):
            n = alone.grow(g[k], h[k], True, 7, k)
            tree = Grown.of(alone.nodes, n)
            same = Grown.of(partial(together.nodes, k), sizes[k])
            for a, b in zip(tree, same, strict=True):
                assert_array_equal(a, b)
            expected[:] = 0
            alone.add(0.25 * tree.value, expected)
            assert_array_equal(score[k], 2 * expected)


def test_leaf_quantiles_are_medians(rng):
    X = rng.normal(size=(500, 2))
    residual = rng.normal(size=500) ** 3
    g = np.sign(residual).astype(np.float32)
    grower, tree, _ = grow(X, g, None, leaves=4)
    values, leaf = np.zeros(len(tree.value)), np.empty(500, np.int32)
    grower.leaf_quantiles(residual, None, 0.5, values)
    grower.leaves(leaf)
    for node in np.unique(leaf):
        assert values[node] == pytest.approx(np.median(residual[leaf == node]))


SLOPES = {
    "squared": lambda y, z: (z - y, np.ones_like(z)),
    "absolute": lambda y, z: (np.where(z >= y, 1.0, -1.0), np.ones_like(z)),
    "quantile": lambda y, z: (np.where(z >= y, 0.8, -0.2), np.ones_like(z)),
    "poisson": lambda y, z: (np.exp(z) - y, np.exp(z)),
    "gamma": lambda y, z: (1 - y * np.exp(-z), y * np.exp(-z)),
    "logistic": lambda y, z: (expit(z) - y, expit(z) * expit(-z)),
    "exponential": lambda y, z: (
        (1 - y) * np.exp(z) - y * np.exp(-z),
        (1 - y) * np.exp(z) + y * np.exp(-z),
    ),
}


@pytest.mark.parametrize("loss", SLOPES)
@pytest.mark.parametrize("n", [1, 7, 9001])
def test_slopes_equal_their_formulas(rng, loss, n):
    y, z, w = rng.integers(2, size=n).astype(float), 3 * rng.normal(size=n), rng.random(n)
    g, h = np.empty((1, n), np.float32), np.empty((1, n), np.float32)
    _native.boost_gradients(loss, 0.2, y, w, z[None], g, h)
    expected = SLOPES[loss](y, z)
    assert_allclose(g[0], expected[0] * w, rtol=1e-6, atol=1e-7)
    assert_allclose(h[0], expected[1] * w, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("classes", [4, 70])
@pytest.mark.parametrize("spread", [1, 12])
@pytest.mark.parametrize("n", [3, 101])
def test_softmax_slopes(rng, classes, spread, n):
    """Right to six digits also where a class is all but sure: 1 - p is never a difference."""
    z, y = spread * rng.normal(size=(classes, n)), rng.integers(classes, size=n)
    z[1, ::5] = z[0, ::5] = z.max() + 1  # two classes on top
    g, h = np.empty((classes, n), np.float32), np.empty((classes, n), np.float32)
    w, own = rng.uniform(0.5, 2, n), np.arange(classes)[:, None] == y
    _native.boost_gradients("softmax", 0.5, y.astype(float), w, z, g, h)
    e = np.exp(z - z.max(axis=0))
    p = e / e.sum(axis=0)
    others = np.stack([np.delete(p, k, axis=0).sum(axis=0) for k in range(classes)])
    assert_allclose(g, np.where(own, -others, p) * w, rtol=2e-6 * spread, atol=1e-30)
    assert_allclose(h, p * others * w, rtol=2e-6 * spread, atol=1e-30)


def stump_score(left, right, by_error):
    if by_error:
        return left.max() + right.max()
    return (left**2).sum() / left.sum() + (right**2).sum() / right.sum()


@pytest.mark.slow
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 700),
    classes=st.integers(2, 4),
    by_error=st.booleans(),
)
def test_the_stump_is_the_best_of_all_cuts(seed, n, classes, by_error):
    """Also where a column has more values than bins, so that bins have to be searched."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(rng.integers(0, 8))
    y = np.sort(rng.integers(classes, size=n))
    w = rng.exponential(size=n)
    w /= w.sum()
    rows = StumpSearch(X, y, classes, "error" if by_error else "gini")
    split, side = rows.best(w)
    on_left = side.astype(bool)
    assert_array_equal(rows.wrong(side, 1, 0), np.where(on_left, y != 1, y != 0))
    best = -1.0
    for column in X.T:
        order = np.argsort(column, kind="stable")
        mass = np.zeros((n, classes))
        mass[np.arange(n), y[order]] = w[order]
        left = mass.cumsum(axis=0)[:-1][np.diff(column[order]) > 0]
        for part in left:
            best = max(best, stump_score(part, mass.sum(axis=0) - part, by_error))
    if best < 0:
        assert split.feature == -1
        return
    left, right = np.array(split.left), np.array(split.right)
    assert stump_score(left, right, by_error) == pytest.approx(best, rel=1e-12)
    assert_array_equal(on_left, X[:, split.feature] <= split.threshold)
    assert_allclose(split.left, np.bincount(y[on_left], w[on_left], classes), atol=1e-12)


def test_a_stump_does_not_depend_on_the_threads(rng):
    X = rng.normal(size=(20_000, 12)).astype(np.float32)
    y = np.sort(rng.integers(2, size=20_000))
    w = rng.exponential(size=20_000)
    found = []
    for threads in (1, 2, 3):
        set_num_threads(threads)
        found.append(StumpSearch(X, y, 2, "gini").best(w / w.sum())[0])
    assert found[0] == found[1] == found[2]


@given(n=st.integers(1, 40), seed=st.integers(0, 100))
def test_weights_of_wrong_rows_rise(n, seed):
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=n)
    wrong = rng.integers(2, size=n, dtype=np.uint8)
    assert _native.weight_of_wrong(weights, wrong) == pytest.approx(weights[wrong > 0].sum())
    expected = weights * np.where(wrong, 2.5, 1.0)
    _native.reweigh(weights, wrong, 2.5)
    assert_allclose(weights, expected / expected.sum())
