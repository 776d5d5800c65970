"""The linear problem: one cost, its derivatives, dense and sparse, one or more outputs."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.special import expit

from gramian.base.errors import DataError
from gramian.objectives import (
    L1,
    L2,
    AbsoluteError,
    ElasticNet,
    Hinge,
    LinearProblem,
    Logistic,
    Loss,
    Lq,
    Max,
    SigmoidLoss,
    Softmax,
    SquaredError,
    WeightedSum,
    ZeroOne,
    numeric_gradient,
    numeric_hessian,
)
from tests.objectives.linear_problem_data import RNG, SMOOTH, N, X, Y

PENALTIES = [
    None,
    L2(0.6),
    L2(np.array([0.1, 0.0, 2.0])),
    L2(np.diag([1.0, 2.0, 3.0]) + 0.5),
    L2(0.6, bias=True),
    Lq(4, 0.2),
]


@pytest.mark.slow
@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array, sp.csc_matrix])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("penalty", PENALTIES, ids=repr)
@pytest.mark.parametrize(("loss", "kind"), SMOOTH, ids=repr)
def test_gradient_hessian_and_product(loss, kind, penalty, intercept, as_data):
    functional = WeightedSum(np.linspace(0, 1, N)) if intercept else None
    problem = LinearProblem(as_data(X), Y[kind], loss, penalty, functional, intercept=intercept)
    x, v = RNG.normal(size=(2, problem.size)) * 0.5
    J, g, H = problem.second_order(x)
    assert problem.value(x) == pytest.approx(J)
    assert_allclose(g, numeric_gradient(problem.value, x), atol=1e-6)
    assert_allclose(problem.gradient(x), g, atol=1e-12)
    assert_allclose(H, numeric_hessian(problem.value, x, problem.gradient), atol=1e-5)
    assert_allclose(problem.hessian(x), H)
    assert_allclose(problem.hessian_product(x, v), H @ v, atol=1e-10)


@pytest.mark.parametrize("functional", [None, Max()], ids=repr)
@pytest.mark.parametrize("loss", [AbsoluteError(), SquaredError()], ids=repr)
def test_the_subgradient_of_kinked_costs(loss, functional):
    """J(x') >= J(x) + g . (x' - x) for convex J."""
    problem = LinearProblem(X, Y["real"], loss, L1(0.2), functional)
    for _ in range(50):
        x, other = RNG.normal(size=(2, problem.size))
        J, g = problem.value_and_gradient(x)
        assert problem.value(x) == pytest.approx(J)
        assert problem.value(other) >= J + g @ (other - x) - 1e-9


def test_values_by_hand():
    problem = LinearProblem(X, Y["real"], AbsoluteError(), L1(0.5))
    w, b = np.array([1.0, -2.0, 0.5]), 0.3
    x = np.append(w, b)
    errors = np.abs(X @ w + b - Y["real"])
    assert problem.value(x) == pytest.approx(errors.mean() + 0.5 * 3.5)
    assert problem.data_value(x) == pytest.approx(errors.mean())
    assert problem.penalty_value(x) == pytest.approx(1.75)
    assert_allclose(problem.losses(x), errors)
    assert LinearProblem(X, Y["real"], AbsoluteError(), None, Max()).value(x) == pytest.approx(
        errors.max()
    )


def test_the_gradient_of_the_logistic_cost_is_minus_x_transposed_times_y_minus_s():
    """The sum form: -sum_i (y_i - s(x_i . w)) x_i."""
    problem = LinearProblem(X, Y["unit"], Logistic(), None, WeightedSum(1.0), intercept=False)
    w = np.array([0.3, -1.0, 2.0])
    assert_allclose(problem.gradient(w), -X.T @ (Y["unit"] - expit(X @ w)))


def test_the_bias_is_penalised_only_when_asked():
    x = np.array([1.0, 1.0, 1.0, 10.0])
    without = LinearProblem(X, Y["real"], SquaredError(), L2(2.0))
    with_it = LinearProblem(X, Y["real"], SquaredError(), L2(2.0, bias=True))
    assert without.penalty_value(x) == 3.0
    assert with_it.penalty_value(x) == 103.0


def test_fit_with_the_penalty_score_without_it():
    """J = f + r is fitted; f alone is reported on held-out rows."""
    penalised = LinearProblem(X[:8], Y["real"][:8], SquaredError(), L2(2.0))
    held_out = LinearProblem(X[8:], Y["real"][8:], SquaredError(), L2(2.0))
    x = np.linalg.solve(penalised.hessian(np.zeros(4)), -penalised.gradient(np.zeros(4)))
    assert_allclose(penalised.gradient(x), 0, atol=1e-12)
    w, b = held_out.unpack(x)
    assert held_out.data_value(x) == pytest.approx(
        np.mean((X[8:] @ w + b - Y["real"][8:]) ** 2) / 2
    )
    assert held_out.value(x) > held_out.data_value(x)


@pytest.mark.parametrize("functional", [None, WeightedSum(np.linspace(0, 2, N))], ids=repr)
def test_gradients_of_rows_average_to_the_gradient(functional):
    problem = LinearProblem(X, Y["unit"], Logistic(), L2(0.2), functional)
    x = RNG.normal(size=4)
    single = [problem.rows_gradient(x, np.array([i])) for i in range(N)]
    assert_allclose(np.mean(single, axis=0), problem.gradient(x), atol=1e-12)
    assert_allclose(problem.rows_gradient(x, np.arange(N)), problem.gradient(x), atol=1e-12)


def test_a_subset_of_rows():
    rows = np.array([1, 5, 7])
    problem = LinearProblem(X, Y["unit"], Logistic(), L2(0.2), WeightedSum(np.linspace(0, 2, N)))
    x = RNG.normal(size=4)
    assert_allclose(problem.subset(rows).gradient(x), problem.rows_gradient(x, rows))
    assert problem.subset(rows).n_rows == 3


def test_float32_stays_float32_in_the_products():
    problem = LinearProblem(X.astype(np.float32), Y["unit"], Logistic(), L2(0.2))
    exact = LinearProblem(X, Y["unit"], Logistic(), L2(0.2))
    x = RNG.normal(size=4)
    assert problem.X.dtype == np.float32
    assert problem.gradient(x).dtype == np.float64
    assert_allclose(problem.gradient(x), exact.gradient(x), rtol=1e-4)


def test_unpacking_several_outputs():
    problem = LinearProblem(X, Y["classes"], Softmax())
    assert problem.shape == (4, 3)
    w, b = problem.unpack(np.arange(12.0))
    assert w.shape == (3, 3)
    assert b.tolist() == [9, 10, 11]
    assert LinearProblem(X, Y["several"], SquaredError(), intercept=False).unpack(np.ones(6))[
        1
    ].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("problem", "present", "absent"),
    [
        (
            LinearProblem(X, Y["real"], SquaredError(), L2(2.0)),
            {"gradient", "hessian", "rows", "least squares", "prox", "quadratic"},
            {"linear program": "SquaredError is not piecewise linear"},
        ),
        (
            LinearProblem(X, Y["real"], SquaredError(), L1(1.0)),
            {"subgradient", "rows", "prox"},
            {
                "gradient": "L1 has no derivative where a weight is 0",
                "hessian": "L1 has no derivative where a weight is 0",
                "quadratic": "L1 is not quadratic",
                "least squares": "L1 is not quadratic",
            },
        ),
        (
            LinearProblem(X, Y["real"], AbsoluteError(), L1(1.0)),
            {"subgradient", "rows", "linear program"},
            {
                "gradient": "AbsoluteError has no derivative at z = y",
                "prox": "AbsoluteError has no derivative at z = y",
            },
        ),
        (
            LinearProblem(X, Y["real"], SquaredError(), None, Max()),
            {"subgradient"},
            {
                "gradient": "Max has no derivative where two rows share the largest loss",
                "rows": "Max is not a sum over rows",
                "prox": "Max has no derivative where two rows share the largest loss",
            },
        ),
        (
            LinearProblem(X, Y["sign"], Hinge(), L2(2.0)),
            {"subgradient", "rows"},
            {"linear program": "L2 is not piecewise linear"},
        ),
        (
            LinearProblem(X, Y["sign"], ZeroOne()),
            {"value"},
            {"subgradient": "ZeroOne has no derivative that a descent could follow"},
        ),
        (
            LinearProblem(X, Y["unit"], SigmoidLoss(SquaredError())),
            {"gradient", "hessian", "rows"},
            {"least squares": "SigmoidLoss is not convex"},
        ),
        (
            LinearProblem(X, Y["unit"], Logistic(), Lq(0.5)),
            {"subgradient"},
            {"prox": "Lq has no prox here", "gradient": "Lq has no derivative"},
        ),
        (
            LinearProblem(X, Y["several"], AbsoluteError()),
            {"subgradient"},
            {"linear program": "several outputs"},
        ),
        (
            LinearProblem(X, Y["unit"], Logistic(), ElasticNet()),
            {"prox"},
            {"hessian": "ElasticNet"},
        ),
    ],
)
def test_what_a_problem_lacks_and_why(problem, present, absent):
    lacking = problem.lacking()
    assert not present & set(lacking)
    for piece, words in absent.items():
        assert words in lacking[piece]


def test_a_loss_of_ones_own():
    class Quartic(Loss):
        """(z - y)^4."""

        def value(self, y, z):
            return (z - y) ** 4

        def derivative(self, y, z):
            return 4 * (z - y) ** 3

        def curvature(self, y, z):
            return 12 * (z - y) ** 2

    problem = LinearProblem(X, Y["real"], Quartic())
    x = RNG.normal(size=4)
    assert_allclose(problem.gradient(x), numeric_gradient(problem.value, x), atol=1e-5)
    assert "hessian" not in problem.lacking()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LinearProblem(X, Y["real"][:-1], SquaredError()), "X has 12 rows and y has shape"),
        (lambda: LinearProblem(X[:, 0], Y["real"], SquaredError()), r"shape \(n, d\)"),
        (lambda: LinearProblem(X[:0], [], SquaredError()), "at least one row"),
        (
            lambda: LinearProblem(X, Y["real"], SquaredError()).start([1.0, 2.0]),
            "start must have 4 numbers; got 2",
        ),
        (
            lambda: LinearProblem(X, Y["real"], SquaredError()).start([np.nan] * 4),
            "start must be finite",
        ),
        (lambda: LinearProblem(X, Y["real"], SquaredError(), None, WeightedSum([1.0])), "weights"),
        (lambda: LinearProblem(X, Y["real"], SquaredError(), L2([1.0, 2.0])), "one per feature"),
    ],
)
def test_bad_input_says_what_to_do(make, words):
    with pytest.raises(DataError, match=words):
        make()
