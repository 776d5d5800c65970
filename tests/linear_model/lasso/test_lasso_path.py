"""Paths over a grid of penalties: duality gaps, order, agreement."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model as peers
from sklearn.datasets import load_diabetes

from gramian import Lasso
from gramian.linear_model import enet_path, lasso_path
from tests.linear_model.lasso.lasso_data import problem


def test_agrees_on_diabetes_and_the_path_has_its_non_zeros():
    X, y = load_diabetes(return_X_y=True)
    X, y = X - X.mean(axis=0), y - y.mean()
    alphas, coefs, gaps = lasso_path(X, y, tol=1e-10, max_iter=10_000)
    _, theirs, _ = peers.lasso_path(X, y, alphas=alphas, tol=1e-12, max_iter=100_000)
    np.testing.assert_allclose(coefs, theirs, atol=1e-3)
    counts = (coefs != 0).sum(axis=0)
    assert counts[0] == 0
    assert counts[-1] >= 8
    assert (gaps <= 1e-10 * (y @ y) / len(y)).all()


def gaps_anew(X, y, alphas, coefs, *, ratio, positive):
    """The duality gaps of a path, from the coefficients and every column."""
    n, gaps = len(y), []
    for alpha, c in zip(alphas, coefs.T, strict=True):
        l1, l2 = alpha * ratio, alpha * (1 - ratio)
        r = y - X @ c
        pull = X.T @ r / n - l2 * c
        s = min(1.0, l1 / max((pull if positive else np.abs(pull)).max(), 1e-300))
        squares = r @ r / n + l2 * c @ c
        dual = s * (y @ r) / n - s * s * squares / 2
        gaps.append(squares / 2 + l1 * np.abs(c).sum() - dual)
    return np.array(gaps)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
@pytest.mark.parametrize("sparse", [False, True])
def test_duality_gaps_of_a_wide_path_cover_all_columns(sparse, ratio, positive):
    """A column that did not matter at one alpha may matter a few alphas later."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 1000))
    X[:, 1:] += 0.7 * X[:, :-1]
    X = sp.csc_array(X * (rng.random(X.shape) < 0.2)) if sparse else np.asfortranarray(X)
    y = X[:, ::50].sum(axis=1) + rng.normal(size=200)
    alphas, coefs, gaps = enet_path(
        X, y, l1_ratio=ratio, eps=0.1, alphas=150, positive=positive, tol=1e-8, max_iter=100_000
    )
    anew = gaps_anew(X, y, alphas, coefs, ratio=ratio, positive=positive)
    unit = y @ y / len(y)
    assert (anew <= 1e-8 * unit + 1e-12).all()
    np.testing.assert_allclose(gaps, anew, atol=1e-12 * unit)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_the_gaps_of_a_tall_path(ratio, positive):
    """Columns that come and go along the path: some are nearly the sum of two others."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 40))
    X[:, 20:] = X[:, :20] + X[:, 1:21] + 0.1 * rng.normal(size=(150, 20))
    y = X[:, ::3] @ rng.normal(size=14) + rng.normal(size=150)
    alphas, coefs, gaps = enet_path(
        X, y, l1_ratio=ratio, eps=1e-3, alphas=100, positive=positive, tol=1e-10, max_iter=10_000
    )
    anew, unit = gaps_anew(X, y, alphas, coefs, ratio=ratio, positive=positive), y @ y / len(y)
    assert (anew <= 1e-10 * unit).all()
    np.testing.assert_allclose(gaps, anew, atol=1e-12 * unit)
    leaving = (coefs[:, :-1] != 0) & (coefs[:, 1:] == 0)
    assert leaving.any()


def test_grids_out_of_order_and_negative():
    X, y, _ = problem(6, 20, 3)
    alphas, _, _ = lasso_path(X, y, alphas=[0.1, 1.0, 0.5])
    assert alphas.tolist() == [1.0, 0.5, 0.1]
    with pytest.raises(ValueError, match="alphas must contain finite numbers >= 0"):
        lasso_path(X, y, alphas=[0.1, -1.0])
    with pytest.raises(ValueError, match="alpha must be a number >= 0; got -1"):
        Lasso(-1.0).fit(X, y)
    with pytest.raises(ValueError, match="Pass alphas"):
        enet_path(X, y, l1_ratio=0.0)
