"""The k-d tree against an obvious exhaustive search in NumPy."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import gramian
from gramian.neighbors.structures.kdtree import build_tree, tree_count, tree_nearest, tree_within

NORMS = [1.0, 2.0, np.inf, 3.5]


def measures(X, Q, p):
    """Sums over the features, in their order, of |x_j - q_j|^p, or the greatest term."""
    gaps = np.abs(Q.astype(np.float64)[:, None] - X.astype(np.float64)[None])
    total = np.zeros(gaps.shape[:2])
    with np.errstate(over="ignore", under="ignore"):
        for j in range(X.shape[1]):
            gap = gaps[:, :, j]
            if np.isinf(p):
                total = np.maximum(total, gap)
            else:
                total = total + (gap * gap if p == 2 else gap if p == 1 else gap**p)
    return total


def root(total, p):
    return np.sqrt(total) if p == 2 else total if p in (1, np.inf) else total ** (1 / p)


def exhaustive(X, Q, k, p):
    total = measures(X, Q, p)
    order = np.argsort(total, axis=1, kind="stable")[:, :k]
    return root(np.take_along_axis(total, order, 1), p).astype(X.dtype), order


def check_nearest(X, Q, k, p, leaf_size=4):
    tree = build_tree(X, leaf_size)
    distances, indices = exhaustive(X, Q, k, p)
    for best_first in (False, True):
        found = tree_nearest(X, tree, Q, k, p, best_first=best_first)
        if p in (1, 2, np.inf):
            assert_array_equal(found[1], indices)
            assert_array_equal(found[0], distances)
        else:  # the last bit of a power is the library's own
            np.testing.assert_allclose(found[0], distances, rtol=1e-6 if X.itemsize == 4 else 1e-13)


@st.composite
def tables(draw):
    """Points and queries: many or few values, constant columns, repeated rows, any scale."""
    d = draw(st.sampled_from([1, 2, 3, 4, 5, 17]))
    n = draw(st.integers(1, 60))
    m = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["normal", "grid", "equal", "one cluster far away"]))
    both = rng.normal(size=(n + m, d))
    if kind == "grid":
        both = np.round(both)
    elif kind == "equal":
        both = np.ones((n + m, d))
    elif kind == "one cluster far away":
        both = both * 1e-9 + 1e3
    if draw(st.booleans()):
        both[:, draw(st.integers(0, d - 1))] = 2.0
    both *= draw(st.sampled_from([1.0, 1e-30, 1e25]))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    if dtype == np.float64:
        both *= draw(st.sampled_from([1.0, 1e-150, 1e140]))
    X, Q = both[:n].astype(dtype), both[n:].astype(dtype)
    Q[: m // 2] = X[0]
    return X, Q


@given(tables(), st.integers(1, 60), st.sampled_from(NORMS), st.integers(1, 12))
def test_the_nearest_points_agree_with_exhaustive_search(both, k, p, leaf_size):
    X, Q = both
    check_nearest(X, Q, min(k, len(X)), p, leaf_size)


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3, 4, 10, 40, 300])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("k", [1, 7, 64, 65, 1000])
def test_more_rows_more_columns_and_every_k(d, dtype, k, rng):
    X, Q = rng.normal(size=(1000, d)).astype(dtype), rng.normal(size=(20, d)).astype(dtype)
    for p in (1.0, 2.0, np.inf):
        check_nearest(X, Q, k, p, leaf_size=30)


def test_overflow_to_infinity_keeps_the_order_of_the_index():
    X = np.array([[1e200], [-1e200], [3e200], [0.0]])
    distances, indices, _ = tree_nearest(X, build_tree(X, 2), np.array([[0.0]]), 4, 2.0)
    assert_array_equal(indices, [[3, 0, 1, 2]])
    assert_array_equal(distances, [[0.0, np.inf, np.inf, np.inf]])


def test_equal_points_cost_no_more_than_a_walk_down_the_tree():
    """n equal rows: the k lowest indices, without a look at the others."""
    X = np.ones((100_000, 3))
    _, indices, visits = tree_nearest(X, build_tree(X, 40), np.zeros((1, 3)), 5, 2.0)
    assert_array_equal(indices, [[0, 1, 2, 3, 4]])
    assert visits.points < 2000


@given(tables(), st.sampled_from(NORMS), st.floats(0, 3))
def test_the_approximation_keeps_its_bound(both, p, eps):
    """Arya and Mount 1993: the k-th distance is at most 1 + eps times the true one."""
    X, Q = both
    k = min(5, len(X))
    true = exhaustive(X, Q, k, p)[0][:, -1].astype(np.float64)
    found = tree_nearest(X, build_tree(X, 2), Q, k, p, eps)[0][:, -1]
    with np.errstate(over="ignore"):
        assert (found <= (1 + eps) * true * (1 + 1e-6)).all()


@given(tables(), st.sampled_from([1.0, 2.0, np.inf]), st.integers(0, 59))
def test_a_ball_through_a_point_holds_it_and_all_nearer_ones(both, p, rank):
    X, Q = both
    lengths = root(measures(X, Q, p), p)
    radii = np.sort(lengths, axis=1)[:, min(rank, len(X) - 1)]
    inside = lengths <= radii[:, None]
    tree = build_tree(X, 3)
    assert_array_equal(tree_count(X, tree, Q, radii, p), inside.sum(axis=1))
    found = tree_within(X, tree, Q, radii, p, sort=True)
    for i in range(len(Q)):
        here = slice(found.offsets[i], found.offsets[i + 1])
        rows = np.flatnonzero(inside[i])
        rows = rows[np.argsort(lengths[i, rows].astype(X.dtype), kind="stable")]
        assert_array_equal(found.indices[here], rows)
        assert_array_equal(found.distances[here], lengths[i, rows].astype(X.dtype))


def test_the_tree_is_balanced_and_divided_at_the_median_of_the_widest_feature(rng):
    X = rng.normal(size=(1001, 3)) * [1.0, 5.0, 2.0]
    order, points, _, boxes, feature, value, first = build_tree(X, 40)
    leaves = len(points)
    assert leaves == 32
    assert_array_equal(np.sort(order), np.arange(len(X)))
    left = order[: 1001 // 2]
    assert feature[1] == 1
    assert value[1] == X[left, 1].max() <= X[order[1001 // 2 :], 1].min()
    starts = np.arange(leaves + 1) * len(X) // leaves
    for leaf in range(leaves):
        rows = order[starts[leaf] : starts[leaf + 1]]
        assert first[leaves + leaf] == rows.min()
        low, high = X[rows].min(axis=0), X[rows].max(axis=0)
        node = leaves + leaf
        np.testing.assert_allclose(boxes[node // 2, :, node % 2], low, rtol=1e-6)
        np.testing.assert_allclose(-boxes[node // 2, :, 2 + node % 2], high, rtol=1e-6)
        assert (boxes[node // 2, :, node % 2] <= low).all()
        assert (-boxes[node // 2, :, 2 + node % 2] >= high).all()


@pytest.mark.parametrize("d", [3, 12])
def test_one_two_and_three_threads_build_and_find_the_same(d, rng):
    X, Q = np.round(rng.normal(size=(30_000, d)), 2), rng.normal(size=(3000, d))
    nearest = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        tree = build_tree(X, 30)
        nearest.append((*tree, *tree_nearest(X, tree, Q, 6, 2.0)))
    for other in nearest[1:]:
        for a, b in zip(nearest[0], other, strict=True):
            assert_array_equal(a, b)


def test_best_first_visits_no_more_points(rng):
    """What is nearer than the k-th neighbour is opened in any order; best-first opens no more."""
    X, Q = rng.normal(size=(20_000, 5)), rng.normal(size=(200, 5))
    tree = build_tree(X, 8)
    outwards, best = (tree_nearest(X, tree, Q, 5, 2.0, best_first=b)[2] for b in (False, True))
    assert best.points <= outwards.points


@pytest.mark.slow
@pytest.mark.parametrize("isa", ["plain", "v2", "v3"])
def test_every_instruction_set_finds_the_same(isa):
    code = """
import numpy as np
from gramian import _native
from gramian.neighbors import KDTree
rng = np.random.default_rng(0)
for d in (2, 3, 4, 9):
    for dtype in (np.float32, np.float64):
        X, Q = rng.normal(size=(2, 500, d)).astype(dtype)
        for p in (1, 2, 3, np.inf):
            D, I = KDTree(X, leaf_size=5, p=p).query(Q, k=7)
            print(D.tobytes().hex(), I.tobytes().hex())
"""
    own = {"PYTHONPATH": os.pathsep.join(sys.path)}

    def answers(forced):
        environment = {**os.environ, **own, **({"GRAMIAN_ISA": forced} if forced else {})}
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        )

    found = answers(isa)
    if "must be one of" in found.stderr:
        pytest.skip(f"{isa} does not run here")
    assert found.returncode == 0, found.stderr
    assert found.stdout == answers("").stdout
