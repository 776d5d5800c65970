"""Ridge by conjugate gradients."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from gramian import Ridge
from gramian.base.rows.moments import Rows
from gramian.linear_model.ridge.ridge_cg import affordable_iterations, by_conjugate_gradients
from gramian.linear_model.ridge.ridge_dual import by_dual
from gramian.linear_model.ridge.ridge_problem import RidgeProblem
from gramian.linear_model.ridge.ridge_qr import by_qr
from tests.linear_model.data import table


def test_very_wide_sparse_rows_use_conjugate_gradients():
    rng = np.random.default_rng(8)
    X = sp.random_array((3000, 6000), density=0.002, rng=rng, format="csr")
    y = X @ rng.normal(size=6000) + 1
    model = Ridge(0.1, tol=1e-12).fit(X, y)
    r = y - model.predict(X)
    assert model.solver_ == "sparse_cg"
    assert model.n_iter_[0] > 1
    assert_allclose(X.T @ r - 0.1 * model.coef_, 0, atol=1e-8)


def test_conjugate_gradients_that_stop_early_give_a_warning():
    X, y, _ = table()
    with pytest.warns(
        ConvergenceWarning, match=r"Ridge: .* 1 iterations; raise max_iter"
    ) as raised:
        Ridge(0.1, solver="sparse_cg", max_iter=1, tol=1e-12).fit(X, y)
    assert raised[0].filename == __file__


@pytest.mark.parametrize(("fit", "penalise"), [(True, False), (True, True), (False, False)])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_conjugate_gradients_give_the_solution(make, fit, penalise, rng):
    X, Y, w = rng.normal(size=(30, 4)) + 1, rng.normal(size=(30, 2)), rng.random(30)
    problem = RidgeProblem(np.array([0.3, 2.0]), None, fit, penalise)
    found = by_conjugate_gradients(Rows.of(make(X), Y, w), problem, 1e-13, None, "owner")
    assert_allclose(found.model, by_qr(Rows.of(X, Y, w), problem), atol=1e-8)
    assert (found.n_iter >= 1).all()
    assert (found.n_iter <= 6).all()  # as many as unknowns, but for rounding


def _texts(n, d, seed=3):
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, d), density=20 / d, rng=rng, format="csr")
    return X, rng.normal(size=(n, 3)), 0.5 + rng.random(n)


@pytest.mark.parametrize("shape", [(700, 1200), (1500, 700)])
@pytest.mark.parametrize(
    "settings", [{}, {"fit_intercept": False}, {"penalize_intercept": True}, {"alpha": [1, 2, 9]}]
)
def test_sparse_rows_use_the_faster_solver(shape, settings):
    """Conjugate gradients within tol of the direct solution; exact ones where that is asked for."""
    X, Y, w = _texts(*shape)
    quick = Ridge(**settings, tol=1e-9).fit(X, Y, w)
    exact = Ridge(**settings, solver="cholesky").fit(X, Y, w)
    assert quick.solver_ == "sparse_cg"
    assert exact.solver_ in ("dual", "cholesky", "cholesky, refined")
    assert_allclose(quick.coef_, exact.coef_, atol=1e-7)
    assert_allclose(quick.intercept_, exact.intercept_, atol=1e-7)


@pytest.mark.parametrize("shape", [(700, 1200), (1500, 700)])
def test_slow_conjugate_gradients_fall_back_to_a_direct_solver(shape):
    X, Y, _ = _texts(*shape)
    model = Ridge(1e-3, tol=1e-12, max_iter=3, fit_intercept=False).fit(X, Y)
    residuals = Y - model.predict(X)
    assert model.solver_ != "sparse_cg"
    assert_allclose(X.T @ residuals, 1e-3 * model.coef_.T, atol=1e-9)


def test_small_sparse_tables_are_solved_directly():
    X, Y, _ = _texts(200, 40)
    assert affordable_iterations(X, 3) == 0
    assert Ridge().fit(X, Y).solver_ == "cholesky"
    assert affordable_iterations(_texts(1500, 700)[0], 3) > 10


def test_the_dual_is_accurate_for_means_far_from_zero(rng):
    X = sp.csr_array(1e5 + rng.normal(size=(6, 9)))
    Y = rng.normal(size=(6, 2))
    problem = RidgeProblem(np.array([0.5, 0.5]), None, True, False)
    found = by_conjugate_gradients(Rows.of(X, Y, None), problem, 1e-9, None, "owner")
    assert_allclose(found.model[:, :-1], by_dual(Rows.of(X, Y, None), problem)[:, :-1], atol=1e-6)


def test_each_target_stops_on_its_own(rng):
    """A constant target is solved before the first iteration, without a warning."""
    X = rng.normal(size=(30, 4))
    Y = np.column_stack([np.ones(30), rng.normal(size=30)])
    model = Ridge(solver="sparse_cg", tol=1e-12).fit(sp.csr_array(X), Y)
    assert model.n_iter_[0] == 0 < model.n_iter_[1]
    assert_allclose(model.coef_[0], 0, atol=1e-14)


@pytest.mark.parametrize(
    ("alpha", "make"), [(0.0, np.asarray), (0.0, sp.csr_array), (1e-20, np.asarray)]
)
def test_without_a_penalty_the_solution_has_least_norm(alpha, make, rng):
    X = rng.normal(size=(6, 15)) * np.geomspace(0.1, 10, 15)
    y = rng.normal(size=6)
    model = Ridge(alpha, solver="sparse_cg", tol=1e-13, fit_intercept=False).fit(make(X), y)
    assert_allclose(model.coef_, np.linalg.pinv(X) @ y, rtol=1e-6, atol=1e-9)
