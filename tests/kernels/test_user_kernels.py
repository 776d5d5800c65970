"""User-defined kernels."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError
from gramian.kernels import FeatureKernel, FunctionKernel, Precomputed, kernel_matrix

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(8, 3)), rng.normal(size=(5, 3))


@pytest.mark.parametrize("made", [np.array, sp.csr_array])
def test_functions_of_rows_and_of_tables(made):
    by_rows = FunctionKernel(lambda x, z, c: float(x @ z) + c, parameters={"c": 2.0})
    by_tables = FunctionKernel(lambda A, B, c: A @ B.T + c, "tables", {"c": 2.0})
    np.testing.assert_allclose(by_rows(made(X), made(Z)), X @ Z.T + 2)
    np.testing.assert_allclose(by_rows.diagonal(made(X)), (X**2).sum(axis=1) + 2)
    np.testing.assert_allclose(by_tables(X, Z), X @ Z.T + 2)
    assert by_rows(X.astype(np.float32)).dtype == np.float32


def test_a_function_that_is_not_a_kernel_is_refused():
    with pytest.raises(DataError, match="NaN"):
        FunctionKernel(lambda x, z: np.nan)(X)
    with pytest.raises(DataError, match="shape"):
        FunctionKernel(lambda A, B: A[:, :1], "tables")(X)
    with pytest.raises(DataError, match="one number"):
        FunctionKernel(lambda x, z: x + z)(X)
    with pytest.raises(ParameterError, match="must be a function"):
        FunctionKernel("rbf")
    with pytest.raises(ParameterError, match="'rows' or 'tables'"):
        FunctionKernel(np.dot, "columns")


def test_features_make_a_kernel():
    """k(x, z) = phi(x) . phi(z), also of new rows."""
    kernel = FeatureKernel(lambda T: np.hstack([T, np.sin(T)]))
    phi, psi = np.hstack([X, np.sin(X)]), np.hstack([Z, np.sin(Z)])
    np.testing.assert_allclose(kernel(X, Z), phi @ psi.T)
    np.testing.assert_allclose(kernel.diagonal(X), (phi**2).sum(axis=1))


def test_features_must_be_a_finite_row_for_each_row():
    with pytest.raises(DataError, match="one row per row"):
        FeatureKernel(lambda T: T[:2])(X)
    with pytest.raises(DataError, match="NaN"):
        FeatureKernel(lambda T: T * np.nan)(X)
    with pytest.raises(ParameterError):
        FeatureKernel(3)


def test_a_precomputed_matrix_is_itself():
    K = X @ X.T
    np.testing.assert_array_equal(Precomputed()(K), K)
    np.testing.assert_array_equal(kernel_matrix(sp.csr_array(K), kernel="precomputed"), K)
    np.testing.assert_array_equal(Precomputed().diagonal(K), np.diag(K))
    with pytest.raises(DataError, match="square"):
        Precomputed()(X)
