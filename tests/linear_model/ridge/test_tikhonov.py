"""Penalised least squares: the normal equations hold for every solver."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.base import clone

from gramian import Ridge
from gramian.base.rows.moments import Rows
from gramian.linear_model.ridge.ridge_problem import RidgeProblem
from gramian.linear_model.ridge.tikhonov import from_summary, tikhonov
from tests.linear_model.data import table
from tests.linear_model.ridge.ridge_data import gradient


@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(3, 40),
    d=st.integers(1, 8),
    alpha=st.floats(1e-3, 1e3),
    kind=st.sampled_from(["identity", "columns", "matrix"]),
    penalize_intercept=st.booleans(),
    solver=st.sampled_from(["auto", "svd"]),
    seed=st.integers(0, 5),
)
def test_the_normal_equations_hold(n, d, alpha, kind, penalize_intercept, solver, seed):
    """X'W(y - Xc - b) = alpha Pc, and the residuals sum to 0 or, penalised, to alpha b."""
    X, y, w = table(n, d, seed=seed)
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d))
    P = {"identity": np.eye(d), "columns": np.diag(rng.random(d) + 0.1), "matrix": root @ root.T}
    penalty = {"identity": None, "columns": np.diag(P["columns"]), "matrix": P["matrix"]}[kind]
    model = Ridge(alpha, penalty=penalty, penalize_intercept=penalize_intercept, solver=solver).fit(
        X, y, w
    )
    found = gradient(model, X, y, w, alpha, P[kind], penalised_bias=penalize_intercept)
    scale = np.abs(X).max() * np.abs(y).max() * n * 3 + alpha * np.abs(P[kind]).max()
    assert_allclose(found, 0, atol=1e-10 * scale * (1 + np.abs(model.coef_).max()))


@pytest.mark.parametrize(
    ("settings", "solver"),
    [
        ({}, "dual"),
        ({"penalize_intercept": True}, "dual"),
        ({"fit_intercept": False}, "dual"),
        ({"penalty": np.arange(1.0, 31)}, "cholesky"),
        ({"solver": "sparse_cg", "tol": 1e-13}, "sparse_cg"),
        ({"solver": "svd"}, "svd"),
    ],
)
def test_fewer_rows_than_columns(settings, solver):
    X, y, w = table(12, 30)
    model = Ridge(2.0, **settings).fit(X, y, w)
    assert model.solver_.startswith(solver)
    P = np.diag(settings.get("penalty", np.ones(30)))
    found = gradient(
        model, X, y, w, 2.0, P, penalised_bias=settings.get("penalize_intercept", False)
    )
    if settings.get("fit_intercept", True):
        assert_allclose(found, 0, atol=1e-8)
    else:
        assert_allclose(found[:-1], 0, atol=1e-8)


@pytest.mark.parametrize("solver", ["auto", "sparse_cg", "svd"])
@pytest.mark.parametrize("penalize_intercept", [False, True])
def test_sparse_rows_give_the_same_model_as_dense_rows(solver, penalize_intercept):
    X, y, w = table(100, 8)
    X[np.abs(X) < 5] = 0
    model = Ridge(0.7, solver=solver, tol=1e-13, penalize_intercept=penalize_intercept)
    dense = clone(model).fit(X, y, w)
    sparse = model.fit(sp.csr_array(X), y, w)
    assert_allclose(sparse.coef_, dense.coef_, rtol=1e-8, atol=1e-12)
    assert sparse.intercept_ == pytest.approx(dense.intercept_, rel=1e-8)


@pytest.mark.parametrize(("fit", "penalise"), [(True, False), (True, True), (False, False)])
def test_a_summary_gives_the_same_model(fit, penalise):
    X, Y, w = table(40, 4, 2)
    problem = RidgeProblem(np.array([0.3, 7.0]), None, fit, penalise)
    rows = Rows.of(X, Y, w)
    assert_allclose(
        from_summary(rows.summarise(), problem), tikhonov(rows, problem).model, rtol=1e-6, atol=1e-8
    )


def test_the_solver_suits_the_shape():
    alpha = np.array([1.0])
    tall, wide = table(40, 4), table(4, 40)
    plain = RidgeProblem(alpha, None, True, False)
    named = {
        "tall": tikhonov(Rows.of(tall[0], tall[1][:, None], None), plain).solver,
        "wide": tikhonov(Rows.of(wide[0], wide[1][:, None], None), plain).solver,
        "positive": tikhonov(Rows.of(tall[0], tall[1][:, None], None), plain, positive=True).solver,
    }
    assert named["tall"].startswith("cholesky")
    assert (named["wide"], named["positive"]) == ("dual", "nnls")
