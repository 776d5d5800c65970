"""The k-d tree of the textbook against the fast one, and what its trace says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.neighbors import KDTree
from gramian.textbook.neighbors import TextbookKDTree

FEATURES = ["widest", "rotate", "random"]
VALUES = ["median", "middle", "alternate"]
STORES = ["leaves", "nodes"]


@pytest.mark.slow
@settings(max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    d=st.integers(1, 4),
    lattice=st.booleans(),
    feature=st.sampled_from(FEATURES),
    value=st.sampled_from(VALUES),
    store=st.sampled_from(STORES),
    leaf_size=st.integers(1, 5),
    p=st.sampled_from([1, 1.5, 2, 3, np.inf]),
    method=st.sampled_from(["best_first", "overlap"]),
    k=st.integers(1, 5),
)
def test_every_option_gives_the_distances_of_the_fast_tree(
    seed, n, d, lattice, feature, value, store, leaf_size, p, method, k
):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, d)).astype(float) if lattice else rng.normal(size=(n, d))
    tree = TextbookKDTree(
        X, feature=feature, value=value, store=store, leaf_size=leaf_size, p=p, random_state=0
    )
    k = min(k, n)
    for q in np.vstack([rng.normal(size=(3, d)), X[:2]]):
        answer = tree.query(q, k, method)
        distances, _ = KDTree(X, p=p).query(q[None], k)
        np.testing.assert_allclose(answer.distances, distances[0], rtol=1e-12, atol=1e-12)
        measured = np.linalg.norm(X[answer.indices] - q, ord=p, axis=1)
        np.testing.assert_allclose(answer.distances, measured)
        assert len(set(answer.indices.tolist())) == k
        assert answer.n_points <= n


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 60), st.sampled_from(VALUES), st.sampled_from(STORES)
)
def test_every_point_is_in_one_node_whose_box_holds_it(seed, n, value, store):
    X = np.random.default_rng(seed).integers(0, 6, size=(n, 2)).astype(float)
    tree = TextbookKDTree(X, value=value, store=store)
    rows = np.concatenate([node.rows for node in tree.nodes])
    assert sorted(rows.tolist()) == list(range(n))
    for node in tree.nodes:
        assert (X[node.rows] <= node.high).all()
        assert (X[node.rows] >= node.low).all()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 15, 16, 100])
def test_medians_in_nodes_have_depth_floor_of_log2_n(rng, n):
    tree = TextbookKDTree(rng.normal(size=(n, 3)), store="nodes")
    inner = [node.depth for node in tree.nodes if len(node.rows)]
    assert max(inner) == int(np.log2(n))
    assert all(len(node.rows) <= 1 for node in tree.nodes)


def test_features_rotate_and_constant_ones_are_skipped(rng):
    X = rng.normal(size=(64, 3))
    tree = TextbookKDTree(X, feature="rotate")
    assert all(node.feature == node.depth % 3 for node in tree.nodes if node.feature is not None)
    X[:, 1] = 5
    tree = TextbookKDTree(X, feature="rotate")
    assert {node.feature for node in tree.nodes} == {0, 2, None}
    drawn = [
        TextbookKDTree(X, feature="random", random_state=s).nodes[0].feature for s in range(20)
    ]
    assert set(drawn) == {0, 2}


def test_the_widest_feature_the_median_and_the_middle():
    X = np.array([[0.0, 0], [1, 1], [2, 0], [10, 3]])
    median, middle = TextbookKDTree(X).nodes[0], TextbookKDTree(X, value="middle").nodes[0]
    assert (median.feature, median.value) == (0, 1.0)
    assert (middle.feature, middle.value) == (0, 5.0)
    alternate = TextbookKDTree(X, value="alternate")
    right = alternate.nodes[0].children[1]
    assert alternate.nodes[0].value == 1.0  # level 1: the median
    assert right.value == 6.0  # level 2: the middle of 2 and 10


def test_equal_points_stay_together_and_equal_values_go_to_the_lower_side():
    X = np.array([[1.0, 2]] * 6 + [[1.0, 3]])
    tree = TextbookKDTree(X)
    assert sorted(len(leaf.rows) for leaf in tree.leaves) == [1, 6]
    assert (tree.nodes[0].feature, tree.nodes[0].value) == (1, 2.0)
    assert tree.query([1, 2], k=6).distances.tolist() == [0] * 6
    assert len(TextbookKDTree(np.zeros((5, 2)), store="nodes").nodes) == 1


def test_the_number_and_the_size_of_leaves_can_be_given(rng):
    X = rng.normal(size=(100, 2))
    assert len(TextbookKDTree(X, n_leaves=13).leaves) == 13
    for store in ("leaves", "nodes"):
        tree = TextbookKDTree(X, smallest_leaf=5, value="middle", store=store)
        assert min(len(leaf.rows) for leaf in tree.leaves) >= 5
    most = max(len(leaf.rows) for leaf in TextbookKDTree(X, leaf_size=7).leaves)
    assert most <= 7


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.1, 0.5, 2.0]),
    st.sampled_from(["best_first", "overlap"]),
)
def test_an_approximate_query_keeps_its_bound_and_visits_no_more(seed, eps, method):
    rng = np.random.default_rng(seed)
    tree = TextbookKDTree(rng.normal(size=(80, 3)), leaf_size=2)
    q = rng.normal(size=3)
    exact, rough = tree.query(q, 2, method), tree.query(q, 2, method, eps=eps)
    assert (rough.distances <= (1 + eps) * exact.distances * (1 + 1e-12)).all()
    assert rough.n_boxes <= exact.n_boxes


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_best_first_visits_the_fewest_boxes_and_skips_only_far_ones(seed, k):
    rng = np.random.default_rng(seed)
    X, q = rng.normal(size=(60, 2)), rng.normal(size=2)
    tree = TextbookKDTree(X, leaf_size=3)
    best, overlap = tree.query(q, k, "best_first"), tree.query(q, k, "overlap")
    assert best.n_boxes <= overlap.n_boxes
    for answer in (best, overlap):
        for step in answer.trace:
            assert (step.action == "skip") == (step.box_distance >= step.radius)
    entered = [step.box_distance for step in best.trace if step.action == "enter"]
    assert entered == sorted(entered)
    assert max(entered) <= best.distances[-1]


def test_greedy_descent_visits_one_leaf_and_may_be_wrong(rng):
    X, Q = rng.normal(size=(200, 3)), rng.normal(size=(100, 3))
    tree = TextbookKDTree(X, leaf_size=4)
    wrong = 0
    for q in Q:
        greedy, true = tree.query(q, method="greedy"), tree.query(q)
        assert greedy.n_points <= 4
        assert greedy.n_boxes <= tree.depth + 1
        assert greedy.distances[0] >= true.distances[0]
        wrong += greedy.distances[0] > true.distances[0]
    assert 0 < wrong < 100
    assert tree.greedy_failures(Q) == wrong / 100
    assert TextbookKDTree(X, leaf_size=200).greedy_failures(Q) == 0


def test_equally_near_points_are_the_worst_case(rng):
    X = rng.normal(size=(200, 3))
    few = TextbookKDTree(X).query(np.full(3, 0.1))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    all_of_them = TextbookKDTree(X).query(np.zeros(3))
    assert few.n_points < 30
    assert all_of_them.n_points > 190


def test_what_cannot_be_is_refused(rng):
    X = rng.normal(size=(10, 2))
    tree = TextbookKDTree(X)
    with pytest.raises(ValueError, match="feature must be one of"):
        TextbookKDTree(X, feature="narrowest")
    with pytest.raises(ValueError, match="k must be an integer between 1 and 10"):
        tree.query([0, 0], k=11)
    with pytest.raises(ValueError, match="q must be one query of 2 finite numbers"):
        tree.query([0, 0, 0])
    with pytest.raises(ValueError, match="NaN"):
        TextbookKDTree([[np.nan, 1]])
    with pytest.raises(ValueError, match="leaf_size must be an integer >= 1"):
        TextbookKDTree(X, leaf_size=0)
    with pytest.raises(ValueError, match="p must be in"):
        TextbookKDTree(X, p=0.5)
    with pytest.raises(ValueError, match="eps must be"):
        tree.query([0, 0], eps=-1)
