"""The function finds what the estimator finds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.decomposition import NMF, non_negative_factorization

X = np.abs(np.random.default_rng(0).normal(size=(12, 7)))


@pytest.mark.parametrize("solver", ["cd", "mu"])
def test_the_factors_are_those_of_nmf(solver):
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
