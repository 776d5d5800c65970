"""Divisive clustering with any splitter."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from gramian import AgglomerativeClustering, DivisiveClustering, KMedoids
from gramian.base.errors import DataError
from gramian.graph import knn_graph, sweep_cut


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, centers=[[0, 0], [9, 0], [0, 14], [30, 30]], random_state=0)


@pytest.mark.parametrize(
    "splitter",
    [
        None,
        KMedoids(2, init="build"),
        AgglomerativeClustering(2),
        lambda X: X[:, 0] > np.median(X[:, 0]),
    ],
    ids=["2-means", "medoids", "Ward", "median cut"],
)
def test_any_splitter_divides(blobs, splitter):
    X, y = blobs
    model = DivisiveClustering(4, splitter=splitter, random_state=0).fit(X)
    assert model.n_clusters_ == 4
    assert len(model.divisions_) == 3
    if not callable(splitter):
        assert adjusted_rand_score(model.labels_, y) == 1.0
    firsts = [int(np.flatnonzero(model.labels_ == c)[0]) for c in range(4)]
    assert firsts == sorted(firsts)


def test_the_strategy_says_which_cluster_is_divided():
    few, many = np.array([[0.0], [60.0], [100.0]]), np.linspace(500, 520, 50)[:, None]
    X = np.vstack([few, many])
    for strategy, inner in (("inertia", 1), ("diameter", 1), ("size", 2)):
        labels = DivisiveClustering(3, strategy=strategy, random_state=0).fit(X).labels_
        assert len(np.unique(labels[3:])) == inner


def test_equal_rows_are_not_divided():
    with pytest.warns(ConvergenceWarning, match="distinct clusters .1. found"):
        assert DivisiveClustering(3).fit(np.ones((5, 2))).n_clusters_ == 1
    X = np.repeat([[0.0], [1.0]], 4, axis=0)
    with pytest.warns(ConvergenceWarning, match="distinct clusters .2. found"):
        assert DivisiveClustering(5, random_state=0).fit(X).n_clusters_ == 2


def test_k_is_one_and_k_is_n():
    X = np.random.default_rng(0).normal(size=(7, 2))
    assert DivisiveClustering(1).fit(X).labels_.tolist() == [0] * 7
    assert DivisiveClustering(7, random_state=0).fit(X).labels_.tolist() == list(range(7))


def test_bad_splitters_are_refused():
    with pytest.raises(DataError, match="a label for each of 3 rows"):
        DivisiveClustering(2, splitter=lambda X: [0]).fit(np.arange(3.0)[:, None])


def test_a_sweep_cut_divides(blobs):
    X, y = blobs
    cut = lambda rows: sweep_cut(knn_graph(rows, 5)).labels  # noqa: E731
    model = DivisiveClustering(4, splitter=cut, strategy="diameter").fit(X)
    assert adjusted_rand_score(model.labels_, y) == 1.0
