"""Real data: every solver that should reaches the objective of a peer."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression, Ridge

from gramian.objectives import L2, LinearProblem, Logistic, SquaredError
from gramian.solvers import minimize

SMOOTH = ["lbfgs", "bfgs", "newton", "newton-cg", "irls", "conjugate", "proximal"]


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    problem = LinearProblem((X - X.mean(0)) / X.std(0), y, Logistic(), L2(0.5 / len(y)))
    theirs = LogisticRegression(tol=1e-12, solver="newton-cholesky").fit(problem.X, y)
    return problem, problem.value(np.append(theirs.coef_[0], theirs.intercept_[0]))


@pytest.mark.parametrize("solver", SMOOTH)
def test_logistic_regression_of_tumours(cancer, solver):
    problem, objective = cancer
    result = minimize(problem, solver, max_iter=5000, trace=False)
    assert result.converged
    assert result.value == pytest.approx(objective, rel=1e-6)


@pytest.mark.parametrize("solver", ["irls", "newton", "newton-cg"])
def test_unscaled_columns_do_not_trouble_second_order_methods(solver):
    """Columns from 0.001 to 4000."""
    X, y = load_breast_cancer(return_X_y=True)
    result = minimize(LinearProblem(X, y, Logistic(), L2(0.5 / len(y))), solver)
    assert result.converged
    assert result.iterations < 40


@pytest.mark.parametrize("solver", SMOOTH)
def test_ridge_regression_of_diabetes(solver):
    X, y = load_diabetes(return_X_y=True)
    problem = LinearProblem(X, y, SquaredError(), L2(0.5 / len(y)))
    theirs = Ridge(alpha=1.0).fit(X, y)
    objective = problem.value(np.append(theirs.coef_, theirs.intercept_))
    result = minimize(problem, solver, max_iter=5000)
    assert result.converged
    assert result.value == pytest.approx(objective, rel=1e-9)
