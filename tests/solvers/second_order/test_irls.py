"""Reweighted least squares: the weighted fits of the book, links, singular and separable data."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression, PoissonRegressor

from gramian.objectives import (
    L2,
    LinearProblem,
    Logistic,
    LogitMargin,
    Poisson,
    Softmax,
    SquaredError,
    WeightedSum,
)
from gramian.solvers import IRLS, LBFGS, Newton, working_response
from tests.solvers.problems import logistic

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
COUNTS = RNG.poisson(np.exp(X @ [0.3, -0.2, 0.1] + 0.5)).astype(float)


@pytest.mark.parametrize(
    ("loss", "y"), [(Logistic(), (COUNTS > 1).astype(float)), (Poisson(), COUNTS)], ids=repr
)
def test_a_step_is_a_weighted_least_squares_fit_to_the_working_response(loss, y):
    problem = LinearProblem(X, y, loss)
    x = np.array([0.1, -0.2, 0.3, 0.4])
    omega, u = working_response(problem, x)
    root, design = np.sqrt(omega), np.column_stack([X, np.ones(80)])
    fit = np.linalg.lstsq(root[:, None] * design, root * u)[0]
    assert_allclose(IRLS(max_iter=1).minimize(problem, x).x, fit, atol=1e-10)


def test_the_logistic_weights_and_response_of_the_book():
    """Omega = s (1 - s), u = z + (y - s) / (s (1 - s)); as a sum, not a mean."""
    y = (COUNTS > 1).astype(float)
    problem = LinearProblem(X, y, Logistic(), None, WeightedSum(1.0))
    x = np.array([0.1, -0.2, 0.3, 0.4])
    z = X @ x[:3] + x[3]
    s = 1 / (1 + np.exp(-z))
    omega, u = working_response(problem, x)
    assert_allclose(omega, s * (1 - s))
    assert_allclose(u, z + (y - s) / (s * (1 - s)))


def test_it_is_newtons_method():
    problem = logistic()
    assert_allclose(
        IRLS(max_iter=4).minimize(problem).trace.iterates,
        Newton(max_iter=4).minimize(problem).trace.iterates,
        atol=1e-10,
    )


def test_squared_error_takes_one_fit():
    problem = LinearProblem(X, COUNTS, SquaredError())
    assert IRLS().minimize(problem).iterations == 1


@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_logistic_regression_agrees_with_scikit_learn(as_data):
    y = (COUNTS > 1).astype(float)
    ours = IRLS(tol=1e-12).minimize(LinearProblem(as_data(X), y, Logistic(), L2(1.0 / 80)))
    theirs = LogisticRegression(C=1.0, tol=1e-12, solver="newton-cholesky").fit(X, y)
    assert_allclose(ours.x, [*theirs.coef_[0], theirs.intercept_[0]], atol=1e-8)


def test_poisson_regression_agrees_with_scikit_learn():
    ours = IRLS(tol=1e-12).minimize(LinearProblem(X, COUNTS, Poisson(), L2(0.1)))
    theirs = PoissonRegressor(alpha=0.1, tol=1e-12, solver="newton-cholesky").fit(X, COUNTS)
    assert_allclose(ours.x, [*theirs.coef_, theirs.intercept_], atol=1e-8)


def test_labels_of_minus_1_and_1_give_the_same_fit():
    y = (COUNTS > 1).astype(float)
    zero_one = IRLS().minimize(LinearProblem(X, y, Logistic(), L2(0.2)))
    signs = IRLS().minimize(LinearProblem(X, 2 * y - 1, LogitMargin(1.0), L2(0.2)))
    assert_allclose(zero_one.x, signs.x, atol=1e-8)


def test_soft_targets_are_weighted_pairs_of_hard_ones():
    """A target p is a row with label 1 and weight p, and one with label 0 and weight 1 - p."""
    p = RNG.random(80)
    soft = IRLS(tol=1e-10).minimize(LinearProblem(X, p, Logistic(), None, WeightedSum(1.0)))
    twice = LinearProblem(
        np.vstack([X, X]),
        np.repeat([1.0, 0.0], 80),
        Logistic(),
        None,
        WeightedSum(np.concatenate([p, 1 - p])),
    )
    assert_allclose(soft.x, IRLS(tol=1e-10).minimize(twice).x, atol=1e-8)


def test_softmax_has_a_singular_system_and_gets_the_least_norm_step():
    y = np.minimum(COUNTS, 2).astype(int)
    result = IRLS().minimize(LinearProblem(X, y, Softmax()))
    reference = LBFGS().minimize(LinearProblem(X, y, Softmax()))
    assert result.converged
    assert result.value == pytest.approx(reference.value, abs=1e-9)
    assert_allclose(result.x.reshape(4, 3).sum(axis=1), 0, atol=1e-8)


def test_xor_cannot_be_learnt_but_with_the_product_it_can():
    """T26."""
    inputs = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array([0.0, 1.0, 1.0, 0.0])
    plain = LinearProblem(inputs, y, Logistic())
    result = IRLS().minimize(plain)
    assert result.converged
    assert_allclose(result.x, 0, atol=1e-9)  # the best line knows nothing
    assert result.value == pytest.approx(np.log(2))

    with_product = LinearProblem(np.column_stack([inputs, inputs.prod(axis=1)]), y, Logistic())
    result = IRLS(tol=1e-3).minimize(with_product)
    w, b = with_product.unpack(result.x)
    assert (((with_product.X @ w + b) > 0) == y).all()


def test_separable_data_without_a_penalty_end_by_tolerance_with_large_weights():
    problem = LinearProblem([[-1.0], [1.0]], [0.0, 1.0], Logistic())
    result = IRLS(tol=1e-8).minimize(problem)
    assert result.converged
    assert result.value < 1e-7
    assert abs(result.x[0]) > 10
