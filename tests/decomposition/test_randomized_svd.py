import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError
from gramian.decomposition import randomized_svd

rng = np.random.default_rng(0)
A = rng.normal(size=(300, 40)) @ np.diag(0.8 ** np.arange(40)) @ rng.normal(size=(40, 200))


@pytest.mark.parametrize("matrix", [A, A.T])
def test_the_approximation_is_nearly_the_best(matrix):
    U, s, Vt = randomized_svd(matrix, 6)
    exact = np.linalg.svd(matrix, compute_uv=False)
    np.testing.assert_allclose(s, exact[:6], rtol=1e-6)
    np.testing.assert_allclose(U.T @ U, np.eye(6), atol=1e-12)
    np.testing.assert_allclose(Vt @ Vt.T, np.eye(6), atol=1e-12)
    assert np.linalg.norm(matrix - (U * s) @ Vt, 2) <= exact[6] * (1 + 1e-3)


def test_more_products_are_nearer():
    flat = rng.normal(size=(200, 150))
    errors = [
        np.abs(randomized_svd(flat, 5, n_iter=q)[1] - np.linalg.svd(flat)[1][:5]).max()
        for q in (1, 4, 10)
    ]
    assert errors[0] > errors[1] > errors[2]


def test_sparse_matrices_stay_sparse():
    S = sp.random_array((80, 60), density=0.1, rng=rng, format="csc")
    np.testing.assert_allclose(
        randomized_svd(S, 3, n_iter=20)[1], np.linalg.svd(S.toarray())[1][:3], rtol=1e-9
    )


def test_bad_matrices_and_numbers_are_refused():
    with pytest.raises(ParameterError, match="between 1 and 200"):
        randomized_svd(A, 201)
    with pytest.raises(DataError, match="NaN"):
        randomized_svd(sp.csr_array([[np.nan, 1.0]]), 1)
