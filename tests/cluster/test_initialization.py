"""Forgy's start and the random partition."""

import numpy as np
from numpy.testing import assert_allclose

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
