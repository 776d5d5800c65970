"""The function finds what the estimator finds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from gramian.base.errors import DataError
from gramian.decomposition import NMF, non_negative_factorization
from gramian.decomposition.multiplicative_updates import Target, divergence

X = np.abs(np.random.default_rng(0).normal(size=(12, 7)))


@pytest.mark.parametrize("solver", ["cd", "mu"])
def test_the_factors_match_nmf(solver):
    settings = {"init": "random", "solver": solver, "random_state": 1, "alpha_W": 0.01}
    W, H, n_iter = non_negative_factorization(X, n_components=3, **settings)
    model = NMF(3, **settings)
    assert_allclose(W, model.fit_transform(X))
    assert_allclose(H, model.components_)
    assert n_iter == model.n_iter_


def test_parts_that_are_given_are_kept():
    W, H, _ = non_negative_factorization(X, n_components=3, random_state=0)
    new, kept, n_iter = non_negative_factorization(X, H=H, update_H=False)
    assert kept is H
    assert_allclose(new, W)
    assert n_iter == 1


def test_it_starts_from_given_factors():
    W = np.abs(np.random.default_rng(1).normal(size=(12, 2)))
    H = np.abs(np.random.default_rng(2).normal(size=(2, 7)))
    found = non_negative_factorization(X, W, H, 2, init="custom", max_iter=500)
    assert_allclose(found[0], NMF(2, init="custom", max_iter=500).fit_transform(X, W=W, H=H))


@pytest.mark.parametrize("parts", [None, -np.ones((2, 7)), np.ones((2, 2, 7))])
def test_fixed_parts_must_be_given_and_not_negative(parts):
    with pytest.raises(DataError, match="update_H=False needs H of shape"):
        non_negative_factorization(X, H=parts, update_H=False)


@pytest.mark.parametrize("beta", [0.2, 1.0, 2.0, 2.5])
def test_a_call_goes_on_from_the_factors_of_the_last(beta):
    W = np.abs(np.random.default_rng(1).normal(size=(12, 3)))
    H = np.abs(np.random.default_rng(2).normal(size=(3, 7)))
    target, losses = Target.of(X), []
    for _ in range(10):
        W, H, _ = non_negative_factorization(
            X, W, H, 3, init="custom", solver="mu", beta_loss=beta, max_iter=1, tol=0
        )
        losses.append(divergence(target, W, np.ascontiguousarray(H.T), beta))
    assert (np.diff(losses) < 0).all()


def test_sparse_rows_without_zeros_have_any_divergence():
    settings = {"solver": "mu", "beta_loss": 0, "init": "random", "random_state": 0}
    dense = non_negative_factorization(X, n_components=2, **settings)
    sparse = non_negative_factorization(csr_array(X), n_components=2, **settings)
    assert_allclose(sparse[0] @ sparse[1], dense[0] @ dense[1])


def test_factors_that_are_given_in_vain_get_a_warning():
    W, H = np.ones((12, 2)), np.ones((2, 7))
    with pytest.warns(RuntimeWarning, match="When init!='custom', provided W or H are ignored"):
        non_negative_factorization(X, H=H, n_components=2)
    with pytest.warns(RuntimeWarning, match="update_H=False, the provided initial W is not used"):
        non_negative_factorization(X, W, H, update_H=False)
