"""Ridge with fewer rows than columns."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import LinearRegression, Ridge
from gramian.base.moments import Rows
from gramian.linear_model.ridge.ridge_dual import by_dual
from gramian.linear_model.ridge.ridge_problem import RidgeProblem
from gramian.linear_model.ridge.ridge_qr import by_qr
from tests.linear_model.data import table


def test_a_vanishing_penalty_gives_the_least_norm():
    X, y, _ = table(12, 30)
    nearly = Ridge(1e-300).fit(X, y)
    assert nearly.solver_ == "dual"
    assert_allclose(nearly.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-6)


@pytest.mark.parametrize(("fit", "penalise"), [(True, False), (True, True), (False, False)])
def test_the_dual_is_the_primal_solution(fit, penalise, rng):
    X, Y, w = rng.normal(size=(8, 20)) + 1, rng.normal(size=(8, 2)), rng.random(8) + 0.1
    problem = RidgeProblem(np.array([0.3, 2.0]), None, fit, penalise)
    assert_allclose(by_dual(Rows.of(X, Y, w), problem), by_qr(Rows.of(X, Y, w), problem), atol=1e-9)


def test_equal_rows_without_a_penalty_get_the_least_norm(rng):
    """K is singular then, and Cholesky fails."""
    x, y = rng.normal(size=(1, 5)), np.array([[2.0], [2.0]])
    found = by_dual(
        Rows.of(np.vstack([x, x]), y, None), RidgeProblem(np.zeros(1), None, False, False)
    )
    assert_allclose(found[0, :-1], 2 * x[0] / (x[0] @ x[0]), rtol=1e-8)
