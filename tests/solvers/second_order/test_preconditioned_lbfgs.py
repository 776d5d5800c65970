"""L-BFGS with a preconditioner when it must."""

import numpy as np
import pytest

from gramian.objectives import L2, LinearProblem, Logistic, Poisson, Softmax
from gramian.solvers import LBFGS, Newton
from gramian.solvers.second_order.preconditioned_lbfgs import PreconditionedLBFGS


def problem(loss, n=400, d=8, spread=3, seed=0, strength=1e-4):
    """Columns in units that differ by 10^spread, far from their origin."""
    rng = np.random.default_rng(seed)
    plain = rng.normal(size=(n, d))
    if isinstance(loss, Softmax):
        y = (plain @ rng.normal(size=(d, 4)) + rng.gumbel(size=(n, 4))).argmax(axis=1)
    else:
        z = plain @ rng.normal(size=d) / 2
        y = rng.poisson(np.exp(z)) if isinstance(loss, Poisson) else (z > rng.logistic(size=n)) * 1
    X = (plain + rng.normal(size=d)) * np.logspace(0, spread, d)
    return LinearProblem(X, y, loss, L2(2 * strength))


@pytest.mark.parametrize("plain", [0, 10])
@pytest.mark.parametrize("loss", [Logistic(), Softmax(), Poisson()])
def test_units_of_the_columns_cost_no_steps(loss, plain):
    """Units that differ by 10^3 or by 10^6 make no difference to the preconditioner."""
    for spread in (0, 3, 6):
        hard = problem(loss, spread=spread, strength=1e-12)
        found = PreconditionedLBFGS(plain=plain, tol=1e-6, max_iter=100).minimize(hard)
        assert found.converged
        assert found.value == pytest.approx(Newton(tol=1e-9).minimize(hard).value, rel=1e-6)


def test_easy_columns_need_no_preconditioner(monkeypatch):
    """As long as the plain steps do, no Gram matrix is made."""
    easy = problem(Logistic(), spread=0)
    plain = LBFGS(tol=1e-4).minimize(easy)

    def refuse(*_):
        raise AssertionError("a preconditioner was made")

    monkeypatch.setattr(
        "gramian.solvers.second_order.preconditioned_lbfgs.bound_preconditioner", refuse
    )
    found = PreconditionedLBFGS(plain=plain.iterations, tol=1e-4).minimize(easy)
    assert found.converged
    np.testing.assert_array_equal(found.x, plain.x)
    with pytest.raises(AssertionError, match="a preconditioner was made"):
        PreconditionedLBFGS(plain=plain.iterations - 1, tol=1e-4).minimize(easy)


def test_the_hessian_replaces_the_bound_where_that_is_far_from_it():
    """Rows sure of their class curve far less than the bound says."""
    sure = problem(Logistic(), strength=1e-9)
    sure = LinearProblem(sure.X, (sure.X[:, 0] > 0.3) * 1.0, Logistic(), L2(2e-09))
    fresh = PreconditionedLBFGS(refresh=10, tol=1e-9, max_iter=500).minimize(sure)
    stale = PreconditionedLBFGS(refresh=500, tol=1e-9, max_iter=500).minimize(sure)
    assert fresh.converged
    assert fresh.iterations < stale.iterations


def test_a_preconditioner_of_a_sample_leads_to_the_minimum_of_all_rows():
    hard = problem(Logistic(), n=3000)
    found = PreconditionedLBFGS(rows=200, tol=1e-7, max_iter=300).minimize(hard)
    assert found.converged
    assert found.value == pytest.approx(Newton(tol=1e-9).minimize(hard).value, rel=1e-9)
