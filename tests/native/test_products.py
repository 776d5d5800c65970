"""Products of a table with a few columns, against plain NumPy, and for any number of threads."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import gramian
from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.base.rows.table_products import gram_times, times, transposed_times

TYPES = [np.float32, np.float64]


@settings(deadline=None, max_examples=60)
@given(
    n=st.integers(0, 210),
    d=st.integers(1, 40),
    b=st.integers(1, 18),
    dtype=st.sampled_from(TYPES),
    centred=st.booleans(),
)
def test_products_equal_the_obvious_numpy(n, d, b, dtype, centred):
    rng = np.random.default_rng(n + d)
    X = (rng.normal(size=(n, d)) + 3).astype(dtype)
    V, U = rng.normal(size=(d, b)), rng.normal(size=(n, b))
    doubles = X.astype(np.float64)
    assert_allclose(times(X, V), doubles @ V, atol=1e-12)
    assert_allclose(transposed_times(X, U), doubles.T @ U, atol=1e-12)
    mean = doubles.mean(axis=0) if centred and n else None
    away = doubles if mean is None else doubles - mean
    assert_allclose(gram_times(X, V, mean), away.T @ (away @ V), atol=1e-9)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", TYPES)
def test_sparse_rows_have_the_dense_product(dtype, index):
    rng = np.random.default_rng(0)
    X = sp.random_array((300, 50), density=0.1, rng=rng, format="csr", dtype=dtype)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    V = rng.normal(size=(50, 11))
    assert_allclose(times(X, V), X.toarray().astype(np.float64) @ V, atol=1e-13)
    assert_allclose(transposed_times(X, times(X, V)), X.T @ (X @ V), rtol=1e-5)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_of_many_columns_are_read_ahead(index):
    rng = np.random.default_rng(0)
    X = sp.random_array((300, 40_000), density=0.002, rng=rng, format="csr")
    X.indptr, X.indices = X.indptr.astype(index), X.indices.astype(index)
    V = rng.normal(size=(40_000, 11))
    assert_allclose(times(X, V), X.toarray() @ V, atol=1e-12)


def test_many_columns_are_summed_range_by_range():
    rng = np.random.default_rng(1)
    X, U = rng.normal(size=(23, 17_001)), rng.normal(size=(23, 9))
    assert_allclose(transposed_times(X, U), X.T @ U, atol=1e-12)


@pytest.mark.parametrize("shape", [(2500, 70), (40, 20_000)])
def test_products_have_the_same_bits_for_any_threads(shape):
    rng = np.random.default_rng(2)
    X = rng.normal(size=shape)
    V, U, mean = rng.normal(size=(shape[1], 8)), rng.normal(size=(shape[0], 8)), X.mean(axis=0)
    sparse = sp.csr_array(np.where(X > 1, X, 0.0))
    made = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        made.append((times(X, V), transposed_times(X, U), gram_times(X, V, mean), times(sparse, V)))
    for other in made[1:]:
        for ours, theirs in zip(made[0], other, strict=True):
            assert_array_equal(ours, theirs)


def test_shapes_that_do_not_fit_are_refused():
    X = native_table(np.ones((3, 2)))
    with pytest.raises(ValueError, match="a factor that fits"):
        _native.table_times(X, np.ones((3, 1)), np.empty((3, 1)))
    with pytest.raises(ValueError, match="a result of the shape"):
        _native.transposed_table_times(X, np.ones((3, 1)), np.empty((3, 1)))
    sparse = native_table(sp.csr_array(np.ones((3, 2))))
    with pytest.raises(ValueError, match="dense rows"):
        _native.gram_times(sparse, None, np.ones((2, 1)), np.empty((2, 1)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_plain_matrix_is_taken_as_it_is(dtype):
    """Without a cast to the other type, in which the numbers overflow."""
    largest = np.finfo(dtype).max / 4
    X = np.full((3, 2), largest, dtype)
    out = np.empty((3, 1))
    _native.table_times(X, np.array([[0.5], [0.5]]), out)  # warnings are errors
    np.testing.assert_allclose(out, largest)
