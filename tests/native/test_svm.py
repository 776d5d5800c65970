"""Kernel values and scores of the core against NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from gramian import _native
from gramian.base.rows.native_table import native_table

KERNELS = {
    "linear": lambda P, S: P,
    "poly": lambda P, S: (0.3 * P + 0.5) ** 3,
    "rbf": lambda P, S: np.exp(-0.3 * S),
    "sigmoid": lambda P, S: np.tanh(0.3 * P + 0.5),
}


def expected(name, X, Z):
    return KERNELS[name](X @ Z.T, cdist(X, Z, "sqeuclidean"))


def points(X, name, error=1e-6):
    return _native.SvmPoints(native_table(X), (name, 0.3, 0.5, 3), error, False)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("n", [1, 37, 1100])
@pytest.mark.parametrize("name", KERNELS)
def test_the_kernel_matrix_matches_numpy(rng, name, n, sparse, dtype):
    X = rng.normal(size=(n, 7)) * (rng.random((n, 7)) < 0.6)
    X = X.astype(dtype)
    table = sp.csr_array(X) if sparse else X
    ids = rng.permutation(n)[: max(1, n - 3)].astype(np.int32)
    K = np.empty((len(ids), len(ids)), dtype=np.float32)
    points(table, name).matrix(ids, K)
    doubles = X.astype(float)[ids]
    np.testing.assert_allclose(K, expected(name, doubles, doubles), rtol=2e-6, atol=2e-6)
    np.testing.assert_array_equal(K, K.T)
    if name == "rbf":
        np.testing.assert_array_equal(np.diag(K), 1)


def test_values_of_rows_far_apart_are_as_good_as_zero(rng):
    X = rng.normal(size=(1100, 7))
    X[::2] += 50.0
    ids = np.arange(len(X), dtype=np.int32)
    K = np.empty((len(ids), len(ids)), dtype=np.float32)
    points(X, "rbf", error=1e-2).matrix(ids, K)  # in single precision
    assert K.min() >= 0
    assert K[::2, 1::2].max() < 1e-37
    np.testing.assert_allclose(K, expected("rbf", X, X), atol=1e-2)


def test_products_are_summed_in_double_precision_where_a_small_error_counts(rng):
    """Rounding of gamma |x|^2 = 6 in single precision moves kernel values by up to 1e-6."""
    X = rng.normal(size=(1100, 20))
    ids = np.arange(1100, dtype=np.int32)
    K = {error: np.empty((1100, 1100), dtype=np.float32) for error in (0.0, 1e-6)}
    for error, values in K.items():
        points(X, "rbf", error).matrix(ids, values)
    exact = expected("rbf", X, X)
    assert np.abs(K[0.0] - exact).max() < 2.0**-23
    assert np.abs(K[0.0] - exact).max() < np.abs(K[1e-6] - exact).max() < 1e-6


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("n", [5, 1300])
def test_scores_are_sums_over_the_vectors_of_each_class(rng, n, sparse):
    V, X = rng.normal(size=(n, 3)), rng.normal(size=(70, 3))
    starts = np.array([0, 2, 2, n], dtype=np.int32)
    coef, intercept = rng.normal(size=(2, n)), rng.normal(size=3)
    wrap = sp.csr_array if sparse else np.ascontiguousarray
    scores, votes = np.empty((70, 3)), np.empty(70, dtype=np.int32)
    points(wrap(V), "rbf").scores(starts, coef, intercept, native_table(wrap(X)), scores, votes)
    K = expected("rbf", X, V)
    parts = [K[:, a:b] @ coef[:, a:b].T for a, b in ((0, 2), (2, 2), (2, n))]
    judge = [parts[i][:, j - 1] + parts[j][:, i] for i, j in ((0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose(scores, np.column_stack(judge) + intercept, atol=1e-4)
    won = np.column_stack(
        [
            (scores[:, 0] > 0).astype(int) + (scores[:, 1] > 0),
            (scores[:, 0] <= 0).astype(int) + (scores[:, 2] > 0),
            (scores[:, 1] <= 0).astype(int) + (scores[:, 2] <= 0),
        ]
    )
    np.testing.assert_array_equal(votes, won.argmax(axis=1))


def test_what_does_not_fit_is_refused(rng):
    X = rng.normal(size=(4, 2))
    with pytest.raises(ValueError, match="square"):
        _native.SvmPoints(X)
    with pytest.raises(ValueError, match="unknown kernel"):
        points(X, "cubic")
    K = np.empty((1, 1), dtype=np.float32)
    with pytest.raises(ValueError, match="ids"):
        points(X, "rbf").matrix(np.array([4], dtype=np.int32), K)
