"""Bisecting k-means: scikit-learn's objectives."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.cluster
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from gramian import BisectingKMeans


def test_the_objective_is_as_low_as_scikit_learns():
    X = load_iris().data
    found = {}
    for model in (BisectingKMeans, sklearn.cluster.BisectingKMeans):
        fits = (model(6, n_init=2, random_state=seed).fit(X) for seed in range(3))
        found[model] = min(fit.inertia_ for fit in fits)
    assert found[BisectingKMeans] <= found[sklearn.cluster.BisectingKMeans] * 1.02


def test_training_rows_keep_their_clusters():
    X = load_digits().data[:500]
    for strategy in ("biggest_inertia", "largest_cluster"):
        model = BisectingKMeans(9, bisecting_strategy=strategy, random_state=0).fit(X)
        np.testing.assert_array_equal(model.predict(X), model.labels_)
        assert len(np.unique(model.labels_)) == 9
        squares = ((X - model.cluster_centers_[model.labels_]) ** 2).sum()
        assert model.inertia_ == pytest.approx(squares)
        sparse = BisectingKMeans(9, bisecting_strategy=strategy, random_state=0).fit(
            sp.csr_array(X)
        )
        assert sparse.inertia_ == pytest.approx(model.inertia_)


def test_blobs_are_found():
    X, y = make_blobs(200, centers=[[0, 0], [20, 0], [0, 30], [60, 60]], random_state=0)
    assert adjusted_rand_score(BisectingKMeans(4, random_state=0).fit_predict(X), y) == 1.0


def test_the_strategy_says_which_cluster_is_divided():
    few_and_wide, many = np.array([[0.0], [60.0], [100.0]]), np.linspace(500, 520, 50)[:, None]
    X = np.vstack([few_and_wide, many])
    by_inertia = BisectingKMeans(3, random_state=0, n_init=5).fit(X).labels_
    by_size = (
        BisectingKMeans(3, bisecting_strategy="largest_cluster", random_state=0, n_init=5)
        .fit(X)
        .labels_
    )
    assert len(np.unique(by_inertia[3:])) == 1
    assert len(np.unique(by_size[3:])) == 2


def test_equal_rows_are_told_of():
    with pytest.warns(ConvergenceWarning, match="smaller than n_clusters .3."):
        BisectingKMeans(3, random_state=0).fit(np.ones((6, 2)))
