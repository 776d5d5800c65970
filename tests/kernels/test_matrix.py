"""Kernel matrices: tiles, symmetry, memory, bad input."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import DataError, ParameterError
from gramian.kernels import RBF, Linear, Polynomial, kernel_diagonal, kernel_matrix
from gramian.kernels.matrix import check_symmetric, kernel_product, row_blocks

rng = np.random.default_rng(0)
X = rng.normal(size=(900, 3))


@pytest.mark.parametrize("kernel", [RBF(0.5), Linear(), Polynomial(3)])
def test_the_matrix_of_one_table_is_symmetric_to_the_last_bit(kernel):
    K = kernel_matrix(X, kernel=kernel)
    assert (K == K.T).all()
    np.testing.assert_allclose(K, kernel_matrix(X, X, kernel), rtol=1e-10, atol=1e-14)
    np.testing.assert_array_equal(np.diag(K), kernel_diagonal(X, kernel))


@given(n=st.integers(1, 40), width=st.integers(1, 10), tile=st.integers(1, 5000))
def test_blocks_cover_every_row_once(n, width, tile):
    rows = [i for block in row_blocks(n, width, tile_bytes=tile) for i in range(n)[block]]
    assert rows == list(range(n))


def test_a_product_needs_no_matrix():
    V = rng.normal(size=(900, 2))
    K = kernel_matrix(X[:50], X, RBF(0.5))
    np.testing.assert_allclose(kernel_product(RBF(0.5), X[:50], X, V, owner="t"), K @ V)
    np.testing.assert_allclose(kernel_product(RBF(0.5), X[:50], X, V[:, 0], owner="t"), K @ V[:, 0])


def test_memory_above_the_result_is_a_few_tiles():
    table = rng.normal(size=(2000, 5))
    RBF()(table[:10])
    tracemalloc.start()
    K = kernel_matrix(table, kernel=RBF(0.1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < K.nbytes + 20e6


def test_tables_of_any_form_are_accepted():
    expected = kernel_matrix(X[:9], kernel="rbf", gamma=0.5)
    for form in (pd.DataFrame, np.asfortranarray, sp.csr_matrix, sp.coo_array, np.ndarray.tolist):
        np.testing.assert_allclose(kernel_matrix(form(X[:9]), kernel="rbf", gamma=0.5), expected)


def test_a_mixed_pair_of_types_is_float64():
    assert kernel_matrix(X[:3].astype(np.float32), X[:3]).dtype == np.float64


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (DataError, "NaN", lambda: kernel_matrix([[np.nan]])),
        (DataError, "columns", lambda: kernel_matrix(X[:3], X[:3, :2])),
        (DataError, "NaN or infinity", lambda: kernel_matrix([[1e60]], kernel=Polynomial(3))),
        (ParameterError, "kernel must be one of", lambda: kernel_matrix(X[:3], kernel="gauss")),
        (DataError, "0 sample", lambda: kernel_matrix(np.empty((0, 2)))),
        (DataError, "NaN or infinity", lambda: kernel_diagonal([[1e200]], "linear")),
        (DataError, "square", lambda: kernel_diagonal(X[:4], "precomputed")),
    ],
)
def test_bad_input_raises_an_error(error, words, call):
    with pytest.raises(error, match=words):
        call()


def test_the_diagonal_matches_the_matrix():
    parameters = {"gamma": 0.5, "degree": 2, "coef0": 0.25}
    diagonal = kernel_diagonal(X[:9], "poly", **parameters)
    np.testing.assert_allclose(diagonal, np.diag(kernel_matrix(X[:9], None, "poly", **parameters)))


def test_a_matrix_that_is_not_symmetric_is_named():
    K = X[:9] @ X[:9].T
    check_symmetric("SVC", K)
    check_symmetric("SVC", K.astype(np.float32) * (1 + 1e-6 * rng.random((9, 9))))
    K[2, 7] += 1
    words = rf"^SVC: .* {K[2, 7]:.6g} for the rows 2 and 7, but {K[7, 2]:.6g} for 7 and 2"
    with pytest.raises(DataError, match=words):
        check_symmetric("SVC", K)
