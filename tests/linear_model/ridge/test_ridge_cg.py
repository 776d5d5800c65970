"""Ridge by conjugate gradients."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from gramian import Ridge
from gramian.base.moments import Rows
from gramian.linear_model.ridge.ridge_cg import by_conjugate_gradients
from gramian.linear_model.ridge.ridge_problem import RidgeProblem
from gramian.linear_model.ridge.ridge_qr import by_qr
from tests.linear_model.data import table


def test_very_wide_sparse_rows_take_conjugate_gradients():
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
def test_products_alone_give_the_solution(make, fit, penalise, rng):
    X, Y, w = rng.normal(size=(30, 4)) + 1, rng.normal(size=(30, 2)), rng.random(30)
    problem = RidgeProblem(np.array([0.3, 2.0]), None, fit, penalise)
    found = by_conjugate_gradients(Rows.of(make(X), Y, w), problem, 1e-13, None, "owner")
    assert_allclose(found.model, by_qr(Rows.of(X, Y, w), problem), atol=1e-8)
    assert (found.n_iter >= 1).all()
    assert (found.n_iter <= 6).all()  # as many as unknowns, but for rounding
