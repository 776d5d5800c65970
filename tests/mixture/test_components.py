"""Components and the maximisation step."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from gramian.base.errors import DataError
from gramian.mixture.components import Components, Sums, maximised

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
R = RNG.dirichlet(np.ones(2), size=60)
OLD = RNG.normal(size=(2, 3))


def sums(squares):
    away = X[:, None] - OLD
    spec = "nk,nki,nki->ki" if squares else "nk,nki,nkj->kij"
    return Sums(R.sum(axis=0), np.einsum("nk,nki->ki", R, away), np.einsum(spec, R, away, away))


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_the_maximisation_step_is_weighted_moments(kind):
    made = maximised(kind, OLD, sums(kind in ("diag", "spherical")), 0.0)
    N = R.sum(axis=0)
    means = R.T @ X / N[:, None]
    away = X[:, None] - means
    full = np.einsum("nk,nki,nkj->kij", R, away, away)
    exact = {
        "full": full / N[:, None, None],
        "tied": full.sum(axis=0) / 60,
        "diag": np.einsum("kii->ki", full) / N[:, None],
        "spherical": np.einsum("kii->k", full) / N / 3,
    }[kind]
    assert_allclose(made.means, means)
    assert_allclose(made.weights, N / 60)
    assert_allclose(made.covariances, exact, rtol=1e-9)
    joint = made.scorer().joint(X)
    for k in range(2):
        law = multivariate_normal(means[k], made.full()[k])
        assert_allclose(joint[:, k], law.logpdf(X) + np.log(made.weights[k]), rtol=1e-9)


def test_numbers_of_parameters():
    counts = {}
    for kind in ("full", "tied", "diag", "spherical"):
        made = maximised(kind, OLD, sums(kind in ("diag", "spherical")), 0.0)
        counts[kind] = made.n_parameters()
    assert counts == {"full": 12 + 7, "tied": 6 + 7, "diag": 6 + 7, "spherical": 2 + 7}


def test_singular_covariances_are_refused():
    for kind, S in (("full", np.zeros((1, 2, 2))), ("diag", np.zeros((1, 2)))):
        with pytest.raises(DataError, match="singular covariance"):
            Components.of(kind, np.ones(1), np.zeros((1, 2)), S)
