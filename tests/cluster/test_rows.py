"""Rows and centres as the native steps of k-means take them."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import _native
from gramian.cluster.rows import as_float64, dense_rows, rows_of


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dense_and_sparse_rows_are_the_same_to_the_native_steps(dtype, rng):
    X = (rng.normal(size=(30, 4)) * (rng.random((30, 4)) < 0.5)).astype(dtype)
    centers = as_float64(X[:3])
    nearest = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    for table in (X, sp.csr_array(X)):
        labels = np.empty(30, np.int32)
        _native.kmeans_assign(rows_of(table), centers, None, labels)
        np.testing.assert_array_equal(labels, nearest)


def test_some_rows_become_dense(rng):
    X = rng.normal(size=(6, 2))
    for table in (X, sp.csr_array(X)):
        picked = dense_rows(table, [4, 1])
        assert isinstance(picked, np.ndarray)
        np.testing.assert_array_equal(picked, X[[4, 1]])


def test_centres_become_float64_in_c_order():
    centers = as_float64(np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)))
    assert centers.dtype == np.float64
    assert centers.flags.c_contiguous
    np.testing.assert_array_equal(centers, [[0, 1, 2], [3, 4, 5]])
