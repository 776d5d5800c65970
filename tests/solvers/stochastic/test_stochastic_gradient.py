"""Stochastic gradient descent."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.objectives import Hinge, LinearProblem, PerceptronLoss, SquaredError
from gramian.solvers import Adam, InverseRoot, InverseTime, StochasticGradient, minimize
from gramian.textbook.linear_classifiers import add_constant
from tests.linear_model.glm.logistic_data import binary
from tests.solvers.problems import logistic

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


EXCLUSIVE = np.array([0.0, 1.0, 1.0, 0.0])


@pytest.mark.parametrize("batch_size", [1, 7, 60])
@pytest.mark.parametrize("order", ["shuffle", "sample"])
def test_falling_rates_converge(batch_size, order):
    problem = logistic()
    rule = StochasticGradient(
        InverseTime(0.5, half=200), batch_size=batch_size, order=order, max_iter=100, random_state=0
    )
    best = Adam(0.1).minimize(problem).value
    result = rule.minimize(problem)
    assert result.value - best < 0.01
    assert result.value < result.trace.values[0]


def test_exact_data_are_fitted_with_a_constant_rate():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    problem = LinearProblem(X, X @ [1.0, -2.0] + 3, SquaredError())
    result = StochasticGradient(0.1, batch_size=1, random_state=0).minimize(problem)
    assert result.converged
    assert_allclose(result.x, [1, -2, 3], atol=1e-5)


def test_the_perceptron_ends_on_classes_that_no_line_separates():
    """T26: XOR is not separable; with the product x1 x2 it is."""
    y = 2 * EXCLUSIVE - 1
    rule = StochasticGradient(1.0, batch_size=1, max_iter=200, random_state=0)
    plain = LinearProblem(XOR, y, PerceptronLoss())
    result = rule.minimize(plain, [0.3, -0.2, 0.1])
    assert not result.converged
    w, b = plain.unpack(result.x)
    assert (y * (XOR @ w + b) <= 0).any()

    product = np.column_stack([XOR, XOR[:, 0] * XOR[:, 1]])
    separable = LinearProblem(product, y, PerceptronLoss())
    w, b = separable.unpack(rule.minimize(separable).x)
    assert (y * (product @ w + b) > 0).all()


def test_kinked_losses_are_minimised():
    y = np.where(np.arange(30) % 2, 1.0, -1.0)
    X = np.random.default_rng(0).normal(size=(30, 2)) + 3 * y[:, None]
    problem = LinearProblem(X, y, Hinge())
    result = StochasticGradient(InverseRoot(0.5), batch_size=1, max_iter=50, random_state=0)
    assert result.minimize(problem).value < 0.01


def test_all_rows_and_a_rate_of_half_are_plain_gradient_descent():
    problem, x = logistic(), np.linspace(-1, 1, 5)
    found = StochasticGradient(0.5, max_iter=7, tol=0.0).minimize(problem, x).x
    for _ in range(7):
        x = x - 0.5 * problem.gradient(x)
    assert_allclose(found, x, rtol=1e-12)


def test_least_squares_discriminant_by_the_lms_rule():
    """LC-15, RG-27: w <- w + eta (r - y) x on single rows comes to the least-squares fit."""
    X, y = binary(300, 3)
    r = 2.0 * y - 1
    problem = LinearProblem(X, r, SquaredError())
    exact = np.linalg.lstsq(add_constant(X), r)[0]
    found = minimize(problem, "sgd", step=InverseTime(0.05, 300), max_iter=100, random_state=0)
    np.testing.assert_allclose(found.x, exact, atol=0.02)
    agree = np.sign(add_constant(X) @ found.x) == np.sign(add_constant(X) @ exact)
    assert agree.mean() > 0.97
