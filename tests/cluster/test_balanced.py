"""Clusters of equal size: the optimum of each step, and of tiny problems."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_iris

from gramian import BalancedKMeans, KMeans, _native
from gramian.base.errors import DataError
from gramian.cluster.balanced import evict


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 9999), n=st.integers(1, 30), k=st.integers(1, 6), ties=st.booleans())
def test_the_assignment_is_the_cheapest(seed, n, k, ties):
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 4, size=(n, k)).astype(float) if ties else rng.uniform(size=(n, k))
    capacity = -(-n // k)
    labels = np.empty(n, np.int32)
    total = _native.balanced_assign(costs, capacity, labels)
    assert np.bincount(labels, minlength=k).max() <= capacity
    seats = np.repeat(costs, capacity, axis=1)
    assert total == pytest.approx(seats[linear_sum_assignment(seats)].sum())
    assert total == pytest.approx(costs[np.arange(n), labels].sum())


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 9999), n=st.integers(1, 30), k=st.integers(1, 6))
def test_no_evicted_row_is_cheaper_than_one_that_stays(seed, n, k):
    """A stable assignment: no row and cluster would both gain by it."""
    costs = np.random.default_rng(seed).uniform(size=(n, k))
    capacity = -(-n // k)
    labels = evict(costs, capacity)
    own = costs[np.arange(n), labels]
    sizes = np.bincount(labels, minlength=k)
    assert sizes.max() <= capacity
    for row, cluster in product(range(n), range(k)):
        if costs[row, cluster] < own[row]:
            assert sizes[cluster] == capacity
            assert costs[row, cluster] > own[labels == cluster].max()


def test_no_iteration_raises_the_objective():
    X = load_iris().data
    for k in (2, 3, 7):
        model = BalancedKMeans(k, random_state=0).fit(X)
        assert (np.diff(model.history_) <= 1e-9).all()
        assert np.bincount(model.labels_, minlength=k).max() == -(-150 // k)
        free = KMeans(k, n_init=5, random_state=0).fit(X).inertia_
        assert model.inertia_ >= free * (1 - 1e-9)
        means = np.array([X[model.labels_ == c].mean(axis=0) for c in range(k)])
        np.testing.assert_allclose(model.cluster_centers_, means)


def test_restarts_find_the_best_balanced_partition_of_a_few_rows():
    rng = np.random.default_rng(0)
    for _ in range(5):
        X = rng.normal(size=(8, 2))
        best = np.inf
        for bits in product((0, 1), repeat=7):
            labels = np.array([0, *bits])
            if labels.sum() == 4:
                parts = (X[labels == c] for c in (0, 1))
                best = min(best, sum(((p - p.mean(axis=0)) ** 2).sum() for p in parts))
        model = BalancedKMeans(2, init="random", n_init=20, random_state=0).fit(X)
        assert model.inertia_ == pytest.approx(best)


def test_eviction_is_near_the_optimum():
    X = load_iris().data
    exact = BalancedKMeans(3, n_init=5, random_state=0).fit(X)
    evicting = BalancedKMeans(3, assignment="eviction", n_init=5, random_state=0).fit(X)
    assert np.bincount(evicting.labels_).tolist() == [50, 50, 50]
    assert evicting.inertia_ <= 1.2 * exact.inertia_


def test_k_is_one_and_k_is_n_and_equal_rows():
    X = np.random.default_rng(1).normal(size=(6, 2))
    assert BalancedKMeans(1).fit(X).inertia_ == pytest.approx(((X - X.mean(axis=0)) ** 2).sum())
    assert BalancedKMeans(6, random_state=0).fit(X).inertia_ == 0.0
    labels = BalancedKMeans(3, random_state=0).fit(np.ones((9, 2))).labels_
    assert np.bincount(labels).tolist() == [3, 3, 3]
    with pytest.raises(DataError, match="should be >= n_clusters=7"):
        BalancedKMeans(7).fit(X)


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 9999),
    n=st.integers(1, 25),
    k=st.integers(1, 9),
    values=st.integers(1, 4),
    assignment=st.sampled_from(["optimal", "eviction"]),
)
def test_no_cluster_is_empty_or_too_large(seed, n, k, values, assignment):
    X = np.random.default_rng(seed).integers(0, values, size=(n, 1)).astype(float)
    k = min(k, n)
    model = BalancedKMeans(k, init=np.zeros((k, 1)), assignment=assignment).fit(X)
    sizes = np.bincount(model.labels_, minlength=k)
    assert sizes.min() > 0
    assert sizes.max() <= -(-n // k)
    means = [X[model.labels_ == c].mean(axis=0) for c in range(k)]
    np.testing.assert_allclose(model.cluster_centers_, means)
    if assignment == "optimal":
        assert (np.diff(model.history_) <= 1e-9).all()


def test_an_empty_cluster_takes_the_farthest_row():
    # Three clusters of at most two rows hold five; two of them would hold these four.
    X = np.array([[0.0], [0.1], [5.0], [5.3]])
    model = BalancedKMeans(3, init=np.array([[0.05], [5.15], [99.0]])).fit(X)
    assert np.bincount(model.labels_).tolist() == [2, 1, 1]
    assert model.inertia_ == pytest.approx(0.005)
