"""The Lipschitz constant of the gradient against eigenvalues of Hessians."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.objectives import L1, L2, LinearProblem, Logistic, Poisson
from gramian.objectives.lipschitz import data_lipschitz
from tests.objectives.linear_problem_data import RNG, SMOOTH, N, X, Y


@pytest.mark.parametrize(("loss", "kind"), [s for s in SMOOTH if s[1] != "count"][:-1], ids=repr)
def test_the_lipschitz_constant_bounds_the_hessian_everywhere(loss, kind):
    problem = LinearProblem(X, Y[kind], loss, L2(0.6))
    L = problem.lipschitz(np.zeros(problem.size))
    for scale in (0.0, 0.1, 1.0, 5.0):
        x = scale * RNG.normal(size=problem.size)
        assert np.linalg.eigvalsh(problem.hessian(x))[-1] <= L


def test_without_a_bound_the_lipschitz_constant_is_local():
    problem = LinearProblem(X, Y["count"], Poisson())
    x = np.full(4, 0.1)
    assert problem.lipschitz(x) == pytest.approx(np.linalg.eigvalsh(problem.hessian(x))[-1])


def test_kinked_parts_are_left_out_of_the_lipschitz_constant():
    smooth = LinearProblem(X, Y["count"], Poisson())
    kinked = LinearProblem(X, Y["count"], Poisson(), L1(1.0))
    assert kinked.lipschitz(np.zeros(4)) == pytest.approx(smooth.lipschitz(np.zeros(4)))


@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("columns", [1, 3])
def test_it_is_the_largest_eigenvalue_of_the_weighted_gram_matrix(as_data, intercept, columns):
    omega = np.linspace(0, 1, N)
    extended = np.column_stack([X[:, :columns], np.ones(N)])[:, : columns + intercept]
    largest = np.linalg.eigvalsh(extended.T @ (omega[:, None] * extended))[-1]
    found = data_lipschitz(Logistic(), as_data(X[:, :columns]), intercept, omega)
    assert largest / 4 <= found * (1 + 1e-12)
    assert found == pytest.approx(largest / 4, rel=1e-4)


def test_columns_whose_squares_overflow():
    with pytest.raises(DataError, match="Scale the columns"), np.errstate(over="ignore"):
        data_lipschitz(Logistic(), np.full((3, 2), 1e200), False, np.ones(3))
