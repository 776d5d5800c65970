"""Forgy's start and the random partition."""

import numpy as np
import pytest
import sklearn.cluster
from numpy.testing import assert_allclose

from gramian import KMeans
from gramian.cluster import kmeans_plusplus
from gramian.cluster.initialization import first_centers

X = np.random.default_rng(0).normal([5.0, 0.0], size=(8, 2))


def start(init: str, k: int, seed: int, weights=None) -> np.ndarray:
    return first_centers("KMeans", X, weights, k, init, seed)


def rows_of(centers: np.ndarray) -> list[int]:
    """Which rows of X these are."""
    return [int(np.flatnonzero((center == X).all(axis=1))[0]) for center in centers]


def test_forgy_takes_different_rows_each_as_often_as_any_other():
    drawn = [rows_of(start("random", 3, seed)) for seed in range(2000)]
    assert all(len(set(rows)) == 3 for rows in drawn)
    share = np.bincount(np.concatenate(drawn), minlength=8) / 2000
    assert_allclose(share, 3 / 8, atol=0.05)  # 4.6 standard errors


def test_forgy_takes_no_row_of_weight_zero():
    weights = np.array([1.0, 0, 1, 0, 1, 0, 1, 0])
    drawn = np.concatenate([rows_of(start("random", 3, seed, weights)) for seed in range(100)])
    assert set(drawn) == {0, 2, 4, 6}


def test_the_mean_of_one_random_part_is_the_mean():
    assert_allclose(start("partition", 1, 0), X.mean(axis=0, keepdims=True))


def test_as_many_random_parts_as_rows_are_the_rows():
    assert sorted(rows_of(start("partition", 8, 0))) == list(range(8))


def test_means_of_random_parts_lie_near_the_middle():
    every = np.concatenate([start("partition", 2, seed) for seed in range(500)])
    assert_allclose(every.mean(axis=0), X.mean(axis=0), atol=0.1)
    assert (every.std(axis=0) < X.std(axis=0)).all()


def test_weights_equal_repetition_in_distribution():
    """The first row of k-means++ is drawn in proportion to the weights."""
    X = np.arange(4.0)[:, None]
    weights = np.array([1.0, 0.0, 3.0, 6.0])
    first = [
        int(kmeans_plusplus(X, 1, sample_weight=weights, random_state=seed)[1][0])
        for seed in range(2000)
    ]
    counts = np.bincount(first, minlength=4) / 2000
    np.testing.assert_allclose(counts, weights / 10, atol=0.04)


def test_the_second_center_is_drawn_in_proportion_to_the_squared_distance():
    X = np.array([[0.0], [1.0], [3.0]])
    weights = np.array([1.0, 1e-12, 1e-12])  # the first centre is row 0
    second = [
        int(kmeans_plusplus(X, 2, sample_weight=weights, random_state=s, n_local_trials=1)[1][1])
        for s in range(2000)
    ]
    assert np.mean(np.array(second) == 2) == pytest.approx(0.9, abs=0.03)  # 9 : 1


def test_plusplus_is_as_good_a_start_as_scikit_learns(digits):
    def potential(function):
        return np.mean(
            [
                ((digits[:, None] - function(digits, 10, random_state=s)[0]) ** 2)
                .sum(axis=2)
                .min(axis=1)
                .sum()
                for s in range(10)
            ]
        )

    assert potential(kmeans_plusplus) <= 1.02 * potential(sklearn.cluster.kmeans_plusplus)


def test_plusplus_returns_rows_of_the_table_and_where_they_are(digits):
    centers, rows = kmeans_plusplus(digits, 10, random_state=0)
    np.testing.assert_array_equal(centers, digits[rows])
    assert len(set(rows.tolist())) == 10


def test_several_starts_from_given_centres_are_one():
    X = np.arange(8.0)[:, None]
    with pytest.warns(RuntimeWarning, match="Explicit initial center position passed"):
        KMeans(2, init=X[[0, 7]], n_init=3).fit(X)
    with pytest.warns(RuntimeWarning, match="doesn't make sense for a single cluster"):
        KMeans(1, algorithm="elkan").fit(X)
