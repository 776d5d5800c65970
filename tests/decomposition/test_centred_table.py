import numpy as np
import pytest
import scipy.sparse as sp

from gramian.decomposition.centred_table import CentredTable

rng = np.random.default_rng(0)


@pytest.mark.parametrize("far", [0.0, 1e6])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_products_match_the_centred_rows(kind, far):
    X = rng.normal(size=(50, 7)) + far * (kind is np.asarray)
    V, U = rng.normal(size=(7, 3)), rng.normal(size=(50, 2))
    table, centred = CentredTable.of(kind(X)), X - X.mean(axis=0)
    np.testing.assert_allclose(table.times(V), centred @ V, atol=1e-8)
    np.testing.assert_allclose(table.transposed_times(U), centred.T @ U, atol=1e-8)
    np.testing.assert_allclose(table.gram_times(V), centred.T @ (centred @ V), atol=1e-8)
    np.testing.assert_allclose(table.gram(), centred @ centred.T, atol=1e-8)
    np.testing.assert_allclose(table.dense(), centred, atol=1e-9)
    np.testing.assert_allclose(table.total, (centred**2).sum())
    assert table.shape == (50, 7)


def test_without_a_mean_the_rows_are_as_they_are():
    X = rng.normal(size=(20, 3)) + 2
    table = CentredTable.of(X, centre=False)
    np.testing.assert_allclose(table.squares, (X**2).sum(axis=0))
    np.testing.assert_array_equal(table.times(np.eye(3)), X)


def test_blocks_are_the_rows_in_order():
    X = rng.normal(size=(40, 2_000)) + 100
    blocks = list(CentredTable.of(np.repeat(X, 20, axis=1)).blocks())
    assert len(blocks) > 1
    np.testing.assert_allclose(
        np.concatenate([block[:, ::20] for _, block in blocks]), X - X.mean(axis=0), atol=1e-12
    )
