"""The objective of ridge: its matrix, its moments, its intercept."""

import numpy as np
import pytest

from gramian.base.rows.moments import Rows
from gramian.linear_model.ridge.ridge_problem import RidgeProblem, moments, with_intercept

ALPHA = np.array([0.5, 0.5])


def test_which_intercept_is_centred_and_which_is_a_column():
    kinds = {
        (fit, penalise): RidgeProblem(ALPHA, None, fit, penalise)
        for fit in (True, False)
        for penalise in (True, False)
    }
    assert [k for k, p in kinds.items() if p.centred] == [(True, False)]
    assert [k for k, p in kinds.items() if p.has_bias_column] == [(True, True)]


def test_the_penalty_of_a_penalised_intercept_is_1():
    P = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert RidgeProblem(ALPHA, P, True, False).matrix(2).tolist() == P.tolist()
    assert RidgeProblem(ALPHA, None, False, False).matrix(2).tolist() == np.eye(2).tolist()
    expected = [[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 1.0]]
    assert RidgeProblem(ALPHA, P, True, True).matrix(2).tolist() == expected


@pytest.mark.parametrize(("fit", "penalise"), [(True, False), (True, True), (False, False)])
def test_the_solution_of_the_moments_matches_stacked_least_squares(fit, penalise, rng):
    """Ridge is least squares with the rows sqrt(alpha) P^(1/2) and targets 0 added."""
    X, Y, w = rng.normal(size=(25, 3)) + 2, rng.normal(size=(25, 2)), rng.random(25)
    problem = RidgeProblem(ALPHA, None, fit, penalise)
    gram, cross, means = moments(Rows.of(X, Y, w).summarise(), problem)
    P = problem.matrix(3)
    A = np.column_stack([X, np.ones(25)]) if fit else X
    penalised = np.ones(A.shape[1])
    if fit and not penalise:
        penalised[-1] = 0
    root = np.sqrt(w)[:, None]
    stack_rows = np.vstack([A * root, np.sqrt(0.5) * np.diag(penalised)])
    for t in range(2):
        coef = np.linalg.solve(gram + 0.5 * P, cross[:, t])
        found = with_intercept(coef, means, t, problem)
        target = np.concatenate([Y[:, t] * root[:, 0], np.zeros(A.shape[1])])
        expected = np.linalg.lstsq(stack_rows, target)[0]
        np.testing.assert_allclose(found[: A.shape[1]], expected, rtol=1e-8, atol=1e-10)
        assert found.shape == (4,)
