"""The problem behind lasso and elastic net: Gram matrices, columns, grids."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import ElasticNet, ElasticNetCV, Lasso, LassoCV
from gramian.base.errors import ParameterError
from gramian.base.rows.moments import Rows
from gramian.linear_model import enet_path
from gramian.linear_model.lasso.sparse_problem import (
    SparseProblem,
    alpha_grid,
    check_alphas,
    gram_paths,
    moments,
)
from tests.linear_model.lasso.lasso_data import kkt_violation, problem


def test_sparse_columns_many_times_wider_than_the_gram_matrix_allows():
    """Coordinate descent on columns takes over from the Gram matrix; the minimum is the same."""
    rng = np.random.default_rng(0)
    X = sp.random(800, 1500, 0.01, format="csc", random_state=0, data_rvs=rng.standard_normal)
    X = sp.csc_array(X)
    y = X @ rng.normal(size=1500) + 0.1 * rng.normal(size=800) + 3
    model = Lasso(1e-4, tol=1e-9, max_iter=100_000).fit(X, y)
    assert (model.coef_ != 0).sum() > 400
    violation, level = kkt_violation(model, X.toarray(), y, None, 1e-4, 1.0)
    assert violation <= 2e-6
    assert level <= 1e-10


@pytest.mark.parametrize("make", [np.asarray, sp.csc_array])
@pytest.mark.parametrize("copies", [1, 8])
@pytest.mark.parametrize("model", [Lasso(), ElasticNetCV(cv=2)])
def test_columns_too_large_to_square_are_refused(model, copies, make):
    X, y, _ = problem(6, 20, 3)
    X = make(np.hstack([X] * copies) * 1e200)
    with pytest.raises(ValueError, match=rf"^{type(model).__name__}: X must .* Scale the columns"):
        model.fit(X, y)
    with pytest.raises(ValueError, match=r"^enet_path: .* too large to be squared; scale them"):
        enet_path(X, y)


def test_csc_columns_are_used_without_a_copy():
    X, y, _ = problem(9, 60, 90, sparse=True)
    ours = Lasso(0.05, tol=1e-10).fit(sp.csc_array(X), y)
    np.testing.assert_array_equal(ours.coef_, Lasso(0.05, tol=1e-10).fit(sp.csr_array(X), y).coef_)
    ridge = [ElasticNet(0.1, l1_ratio=0.0).fit(make(X), y) for make in (sp.csc_array, np.asarray)]
    np.testing.assert_allclose(ridge[0].coef_, ridge[1].coef_, atol=1e-8)
    folds = [LassoCV(cv=3, alphas=10).fit(make(X), y) for make in (sp.csc_array, sp.csr_array)]
    np.testing.assert_array_equal(folds[0].mse_path_, folds[1].mse_path_)
    X[17, 4] = np.nan
    with pytest.raises(ValueError, match="NaN \\(row 17, column 4\\)"):
        Lasso().fit(sp.csc_array(X), y)


@pytest.mark.parametrize("centre", [True, False])
def test_moments_are_means_of_products(centre, rng):
    X, y, w = rng.normal(size=(30, 3)) + 2, rng.normal(size=30), rng.random(30)
    gram, q, yy, means = moments(Rows.of(X, y[:, None], w).summarise(), centre=centre)
    v = w / w.sum()
    A, b = X - centre * (v @ X), y - centre * (v @ y)
    np.testing.assert_allclose(gram, (A.T * v) @ A, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(q, (A.T * v) @ b, rtol=1e-9, atol=1e-12)
    assert yy == pytest.approx(v @ b**2)
    np.testing.assert_allclose(means, centre * (v @ X))


@pytest.mark.parametrize("d", [5, 80])
def test_the_largest_penalty_is_the_smallest_with_all_coefficients_zero(d):
    X, y, _ = problem(2, 40, d)
    table = SparseProblem(X, None, centre=True)
    assert table.uses_gram == (d == 5)
    top = table.l1_max(y)
    assert top == pytest.approx(np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / 40)
    settings = {"positive": False, "tol": 1e-12, "max_iter": 1000}
    assert not table.path(y, top * 1.001, 0.0, **settings).coef.any()
    assert table.path(y, top * 0.99, 0.0, **settings).coef.any()


def test_a_grid_falls_geometrically_from_the_largest_alpha():
    np.testing.assert_allclose(alpha_grid("owner", 2.0, 0.5, 4, 1e-3), [4.0, 0.4, 0.04, 0.004])
    with pytest.raises(ParameterError, match=r"owner: l1_ratio must be > 0 .* Pass alphas"):
        alpha_grid("owner", 2.0, 0.0, 4, 1e-3)


def test_alphas_are_sorted_and_checked():
    assert check_alphas("owner", [0.1, 3.0, 0.0]).tolist() == [3.0, 0.1, 0.0]
    for bad in ([], [np.inf], [-1.0]):
        with pytest.raises(ParameterError, match="owner: alphas must contain finite numbers"):
            check_alphas("owner", bad)


def test_paths_from_gram_matrices_match_their_problems(rng):
    """Two problems at once; each minimum satisfies |q - G c| <= l1."""
    A = rng.normal(size=(2, 30, 4))
    y = rng.normal(size=(2, 30))
    grams, q = np.einsum("kni,knj->kij", A, A) / 30, np.einsum("kni,kn->ki", A, y) / 30
    yy, l1 = (y**2).mean(axis=1), np.array([0.2, 0.05])
    coef, gaps, n_iter = gram_paths(grams, q, yy, l1, 0 * l1, False, 1e-12, 1000)
    assert coef.shape == (2, 2, 4)
    assert n_iter.shape == gaps.shape == (2, 2)
    for k in range(2):
        for a in range(2):
            slope = q[k] - grams[k] @ coef[k, a]
            assert (np.abs(slope) <= l1[a] + 1e-6).all()
            on = coef[k, a] != 0
            np.testing.assert_allclose(slope[on], l1[a] * np.sign(coef[k, a][on]), atol=1e-6)
