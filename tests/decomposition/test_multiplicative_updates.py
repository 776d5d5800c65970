import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition._nmf import _beta_divergence

from gramian import NMF
from gramian.decomposition.multiplicative_updates import Target, divergence, multiply

rng = np.random.default_rng(0)
X, W, Ht = rng.random((30, 12)), rng.random((30, 4)), rng.random((12, 4))
SPARSE = np.where(rng.random(X.shape) < 0.3, X, 0.0)


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2, 3])
def test_no_multiplication_raises_the_divergence(beta):
    target = Target.of(X)
    new = multiply(target, W, Ht, beta, 0.0, 0.0)
    assert divergence(target, new, Ht, beta) < divergence(target, W, Ht, beta)
    assert divergence(target, W, Ht, beta) == pytest.approx(_beta_divergence(X, W, Ht.T, beta))


@pytest.mark.parametrize("beta", [0.5, 1, 1.5, 2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_zeros_that_are_not_stored_count_as_zeros(beta, dtype):
    """Of both factors, and of the divergence; more stored numbers than a step takes too."""
    many = np.vstack([SPARSE] * 100).astype(dtype)
    factor = np.vstack([W] * 100)
    dense, sparse = Target.of(many), Target.of(sp.csr_array(many))
    assert sparse.X.nnz > 8192
    of_rows = [multiply(t, factor, Ht, beta, 0.1, 0.2) for t in (dense, sparse)]
    of_columns = [multiply(t.transposed(), Ht, factor, beta, 0.1, 0.2) for t in (dense, sparse)]
    values = [divergence(t, factor, Ht, beta) for t in (dense, sparse)]
    np.testing.assert_allclose(*of_rows, rtol=1e-9)
    np.testing.assert_allclose(*of_columns, rtol=1e-9)
    assert values[0] == pytest.approx(values[1], rel=1e-9)


def test_sparse_rows_are_never_made_dense(monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("made dense")

    table = sp.csr_array(SPARSE)
    settings = {"beta_loss": "kullback-leibler", "solver": "mu", "max_iter": 20, "random_state": 0}
    dense = NMF(3, init="random", tol=0, **settings).fit(SPARSE)
    monkeypatch.setattr(sp.csr_array, "toarray", refuse)
    model = NMF(3, init="random", tol=0, **settings).fit(table)
    np.testing.assert_allclose(model.components_, dense.components_, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(model.transform(table), dense.transform(SPARSE), rtol=1e-8)
    assert model.reconstruction_err_ == pytest.approx(dense.reconstruction_err_)
