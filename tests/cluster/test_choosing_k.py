"""Choosing the number of clusters."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import silhouette_score

from gramian import AgglomerativeClustering, KMeans
from gramian.base.errors import DataError, ParameterError
from gramian.cluster import DBSCAN, choose_n_clusters


@pytest.mark.parametrize("estimator", [None, AgglomerativeClustering()])
def test_every_criterion_finds_clear_clusters(estimator):
    X, _ = make_blobs(120, centers=[[0, 0], [12, 0], [0, 12], [12, 12]], random_state=1)
    counts = choose_n_clusters(X, range(1, 7), estimator=estimator, n_references=5, random_state=0)
    assert set(counts.best.values()) == {4}
    assert counts.n_clusters.tolist() == [1, 2, 3, 4, 5, 6]
    assert (np.diff(counts.inertia) <= 0).all()
    assert np.isnan(counts.silhouette[0])


def test_one_cloud_is_one_cluster_by_the_gap():
    X = np.random.default_rng(0).uniform(size=(100, 2))
    assert choose_n_clusters(X, range(1, 5), random_state=0).best["gap"] == 1


def test_the_silhouette_is_scikit_learns():
    X, _ = make_blobs(60, random_state=2)
    counts = choose_n_clusters(X, [3], n_references=2, random_state=5)
    labels = KMeans(3, random_state=5).fit_predict(X)
    assert counts.silhouette[0] == pytest.approx(silhouette_score(X, labels))
    assert counts.best["gap"] == 3


def test_as_many_clusters_as_rows():
    counts = choose_n_clusters(np.arange(4.0)[:, None], [4], n_references=2, random_state=0)
    assert counts.inertia[0] == 0
    assert np.isnan(counts.davies_bouldin[0])
    assert list(counts.best) == ["gap"]


def test_bad_input_is_refused():
    with pytest.raises(ParameterError, match="integers >= 1"):
        choose_n_clusters(np.eye(3), [0, 1])
    with pytest.raises(DataError, match="should be >= n_clusters=9"):
        choose_n_clusters(np.eye(3), [9])


def test_a_single_number_is_refused_with_an_example():
    with pytest.raises(ParameterError, match=r"such as range\(1, 11\); got 3"):
        choose_n_clusters(np.arange(10.0)[:, None], 3)


def test_numbers_and_estimators_that_do_not_fit_are_refused():
    X = np.arange(12.0)[:, None]
    for bad in ([2.5], "ab", [0], []):
        with pytest.raises(ValueError, match=r"n_clusters must contain integers >= 1"):
            choose_n_clusters(X, bad)
    with pytest.raises(ValueError, match=r"estimator must have the parameter n_clusters.*DBSCAN"):
        choose_n_clusters(X, [2], estimator=DBSCAN())


def test_equal_rows_are_reported_once_for_each_number():
    with pytest.warns(ConvergenceWarning) as seen:
        choose_n_clusters(np.ones((9, 2)), [1, 2, 3], random_state=0)
    assert len(seen) == 2  # not for the tables drawn beside X too
