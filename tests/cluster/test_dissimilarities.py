"""Matrices of dissimilarities."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from gramian.base.errors import ParameterError
from gramian.cluster.dissimilarities import (
    dissimilarities_between,
    dissimilarities_of_pairs,
    dissimilarity_matrix,
    is_euclidean,
)


@pytest.mark.parametrize("d", [1, 3, 100, 120, 121, 200])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_euclidean_distances(d, dtype):
    X = np.random.default_rng(d).normal(size=(70, d)).astype(dtype)
    D = dissimilarity_matrix("test", X, "euclidean")
    np.testing.assert_allclose(D, squareform(pdist(X)), rtol=1e-11, atol=1e-13)


def test_other_metrics():
    X = np.random.default_rng(0).normal(size=(20, 3))
    D = dissimilarity_matrix("test", X, "l1")
    np.testing.assert_allclose(D, squareform(pdist(X, "cityblock")))
    with pytest.raises(ParameterError, match="cannot compute distances of X"):
        dissimilarity_matrix("test", X, "haversine")


def test_which_metrics_are_euclidean():
    assert is_euclidean("l2")
    assert is_euclidean("minkowski", {"p": 2})
    assert not is_euclidean("minkowski", {"p": 1})
    assert not is_euclidean("minkowski", {"w": [1, 2]})
    assert not is_euclidean("cosine")
    assert not is_euclidean(pdist)


def test_an_unknown_parameter_of_a_metric_is_named_without_the_rows():
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ParameterError, match=r"metric_params=\{'q': 3\}") as caught:
        dissimilarity_matrix("linkage", X, "minkowski", {"q": 3})
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "precomputed"])
def test_pairs_and_tiles_are_entries_of_the_matrix(metric):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    D = dissimilarity_matrix("Own", X, "euclidean" if metric == "precomputed" else metric)
    rows = D if metric == "precomputed" else X
    i, j = np.sort(rng.integers(600, size=900)), rng.integers(600, size=900)
    pairs = dissimilarities_of_pairs("Own", rows, i, j, metric)
    np.testing.assert_allclose(pairs, D[i, j], atol=1e-12)
    some, others = np.arange(7), np.arange(100, 400)
    tile = dissimilarities_between("Own", rows, some, others, metric)
    np.testing.assert_allclose(tile, D[:7, 100:400], atol=1e-7)


def test_pairs_say_which_metric_cannot_measure():
    i = np.array([0, 1])
    with pytest.raises(ParameterError, match="Own: metric='none such'"):
        dissimilarities_of_pairs("Own", np.eye(3), i, i, "none such")


def test_a_metric_below_zero_is_refused():
    with pytest.raises(ValueError, match=r"KMedoids: metric=.* >= 0; it returned -1"):
        dissimilarity_matrix("KMedoids", np.eye(3), lambda a, b: -1.0)
