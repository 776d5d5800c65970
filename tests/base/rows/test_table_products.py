import numpy as np
import scipy.sparse as sp

from gramian.base.rows.table_products import gram_times, times, transposed_times

rng = np.random.default_rng(0)


def test_any_order_of_the_factor_and_any_type_of_the_table_serve():
    X = rng.normal(size=(30, 5)).astype(np.float32)
    V = np.asfortranarray(rng.normal(size=(5, 3)))
    doubles = X.astype(np.float64)
    assert times(X, V).dtype == np.float64
    np.testing.assert_allclose(times(X, V), doubles @ V)
    np.testing.assert_allclose(
        transposed_times(X, (doubles @ V)[:, ::-1]), doubles.T @ doubles @ V[:, ::-1]
    )


def test_both_in_one_reading_about_a_mean():
    X, V = rng.normal(size=(200, 6)) + 4, rng.normal(size=(6, 2))
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(gram_times(X, V, X.mean(axis=0)), centred.T @ centred @ V)
    np.testing.assert_allclose(gram_times(X, V), X.T @ X @ V)


def test_sparse_rows_may_be_transposed():
    X = sp.csr_array(np.where(rng.random((20, 7)) < 0.3, 1.5, 0.0))
    U = rng.normal(size=(20, 2))
    np.testing.assert_allclose(transposed_times(X, U), X.toarray().T @ U, atol=1e-14)
