import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import decomposition as peer
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from gramian import NMF
from gramian.base.errors import DataError, ParameterError

DIGITS = load_digits().data[:300]
rng = np.random.default_rng(0)


@pytest.mark.parametrize("init", [None, "random", "nndsvd", "nndsvdar"])
def test_the_error_is_scikit_learns_or_lower(init):
    settings = {"init": init, "random_state": 0, "max_iter": 400, "tol": 1e-4}
    ours = NMF(6, **settings).fit(DIGITS)
    theirs = peer.NMF(6, **settings).fit(DIGITS)
    assert ours.reconstruction_err_ <= 1.01 * theirs.reconstruction_err_
    assert (ours.components_ >= 0).all()


def test_parts_that_add_up_are_found_again():
    W, H = rng.random((60, 3)), np.kron(np.eye(3), np.ones(4))
    model = NMF(3, tol=1e-10, max_iter=3000).fit(W @ H)
    assert model.reconstruction_err_ < 1e-3 * np.linalg.norm(W @ H)
    unit = model.components_ / np.linalg.norm(model.components_, axis=1)[:, None]
    np.testing.assert_allclose((unit @ (H / 2).T).max(axis=0), 1, atol=1e-2)


def test_weights_are_the_best_for_the_parts_and_the_error_that_of_the_product():
    model = NMF(5, random_state=0, tol=1e-3)
    W = model.fit_transform(DIGITS)
    np.testing.assert_allclose(model.transform(DIGITS), W, atol=1e-8)
    left = np.linalg.norm(DIGITS - model.inverse_transform(W))
    assert model.reconstruction_err_ == pytest.approx(left)


def test_sparse_rows_have_the_dense_answer():
    dense, sparse = (
        NMF(4, random_state=0).fit(kind(DIGITS)) for kind in (np.asarray, sp.csr_array)
    )
    np.testing.assert_allclose(sparse.components_, dense.components_, atol=1e-6)
    assert sparse.reconstruction_err_ == pytest.approx(dense.reconstruction_err_)


def test_penalties_are_scikit_learns():
    settings = {
        "alpha_W": 0.01,
        "alpha_H": 0.02,
        "l1_ratio": 0.5,
        "init": "random",
        "max_iter": 1000,
    }
    ours = NMF(4, tol=1e-5, random_state=0, **settings)
    W = ours.fit_transform(DIGITS)
    theirs = peer.NMF(4, tol=1e-5, random_state=0, **settings)
    V = theirs.fit_transform(DIGITS)

    def objective(W, H):
        n, d = DIGITS.shape
        a, b = d * 0.01 / 2, n * 0.02 / 2
        penalty = a * (W.sum() + (W**2).sum() / 2) + b * (H.sum() + (H**2).sum() / 2)
        return ((DIGITS - W @ H) ** 2).sum() / 2 + penalty

    assert objective(W, ours.components_) <= 1.005 * objective(V, theirs.components_)


@pytest.mark.parametrize("loss", ["kullback-leibler", "itakura-saito", 1.5, "frobenius"])
def test_other_losses_by_multiplication(loss):
    X = DIGITS[:80] + 0.5
    settings = {"solver": "mu", "beta_loss": loss, "init": "random", "max_iter": 300}
    ours = NMF(3, random_state=0, **settings).fit(X)
    theirs = peer.NMF(3, random_state=0, **settings).fit(X)
    assert ours.reconstruction_err_ <= 1.05 * theirs.reconstruction_err_


def test_what_cannot_be_done_is_said():
    with pytest.raises(DataError, match=r"Negative values .* the smallest is -1"):
        NMF(1).fit([[1.0, -1.0]])
    with pytest.raises(ParameterError, match="needs solver='mu'"):
        NMF(1, beta_loss="kullback-leibler").fit(DIGITS)
    with pytest.raises(DataError, match="infinite where X is 0"):
        NMF(1, solver="mu", beta_loss="itakura-saito").fit(DIGITS)
    with pytest.raises(ParameterError, match=r"needs n_components <= .*=2; got 3"):
        NMF(3, init="nndsvd").fit(np.ones((2, 5)))
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        NMF(3, max_iter=1, random_state=0).fit(DIGITS)


def test_multiplication_stops_where_scikit_learns_does():
    settings = {"solver": "mu", "beta_loss": "kullback-leibler", "max_iter": 500, "random_state": 0}
    ours = NMF(3, **settings).fit(DIGITS)
    theirs = peer.NMF(3, **settings).fit(DIGITS)
    assert abs(ours.n_iter_ - theirs.n_iter_) <= 10
    assert ours.reconstruction_err_ <= 1.001 * theirs.reconstruction_err_


def test_given_factors_are_where_it_starts():
    rng = np.random.default_rng(0)
    W, H = rng.random((20, 2)), rng.random((2, 6))
    model = NMF(2, init="custom", max_iter=3, tol=0)
    assert model.fit(W @ H, W=W, H=H).reconstruction_err_ < 1e-6
    with pytest.raises(DataError, match="init='custom' needs H of shape"):
        model.fit_transform(W @ H, W=W, H=H.T)


def test_numbers_whose_products_vanish_are_refused():
    with pytest.raises(DataError, match=r"NMF: the largest value of X must be at least 1e-100"):
        NMF(1).fit(np.full((3, 2), 1e-150))
    NMF(1).fit(np.zeros((3, 2)))
