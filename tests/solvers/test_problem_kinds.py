"""The menu: loss, functional and penalty name the kind of problem and a solver that fits."""

import numpy as np
import pytest

from gramian.objectives import (
    L1,
    L2,
    LOSSES,
    AbsoluteError,
    ElasticNet,
    EpsilonInsensitive,
    Exponential,
    Function,
    Hinge,
    LinearProblem,
    Logistic,
    Lq,
    LqBall,
    Max,
    Mean,
    Poisson,
    SigmoidLoss,
    Softmax,
    SquaredError,
    WeightedSum,
    ZeroOne,
)
from gramian.solvers import choose_solver, minimize
from gramian.solvers.solver_names import check_fits

X = np.random.default_rng(0).normal(size=(20, 2))
REAL, UNIT = X[:, 0] + 0.1 * X[:, 1] ** 2, (X[:, 0] > 0.2).astype(float)
SIGN = 2 * UNIT - 1
TARGETS = {
    "real": REAL,
    "unit": UNIT,
    "sign": SIGN,
    "count": UNIT,
    "positive": UNIT + 0.5,
    "classes": UNIT.astype(int),
}


@pytest.mark.parametrize(
    ("method", "loss", "functional", "penalty", "kind"),
    [
        ("least squares", SquaredError(), Mean(), None, "closed form"),
        ("weighted least squares", SquaredError(), WeightedSum(np.ones(20)), None, "closed form"),
        ("ridge", SquaredError(), Mean(), L2(2.0), "closed form"),
        ("lasso", SquaredError(), Mean(), L1(0.1), "quadratic program"),
        ("elastic net", SquaredError(), Mean(), ElasticNet(0.1), "quadratic program"),
        ("logistic regression", Logistic(), Mean(), None, "reweighted least squares"),
        ("ridge logistic", Logistic(), Mean(), L2(0.2), "reweighted least squares"),
        ("l1 logistic", Logistic(), Mean(), L1(0.1), "proximal gradient"),
        ("softmax", Softmax(), Mean(), L2(0.2), "reweighted least squares"),
        ("counts", Poisson(), Mean(), None, "reweighted least squares"),
        ("least absolute deviations", AbsoluteError(), Mean(), None, "linear program"),
        ("l1 deviations", AbsoluteError(), Mean(), L1(0.1), "linear program"),
        ("Chebyshev", AbsoluteError(), Max(), None, "linear program"),
        ("support vector machine", Hinge(), Mean(), L2(0.2), "quadratic program"),
        ("l1 support vector machine", Hinge(), Mean(), L1(0.1), "linear program"),
        ("support vector regression", EpsilonInsensitive(), Mean(), L2(0.2), "quadratic program"),
        ("squared sigmoid", SigmoidLoss(SquaredError()), Mean(), None, "gradient"),
        ("boosting's loss", Exponential(), Mean(), L2(0.2), "reweighted least squares"),
        ("bridge q = 4", SquaredError(), Mean(), Lq(4, 0.1), "gradient"),
        ("bridge q = 1/2", SquaredError(), Mean(), Lq(0.5, 0.1), "subgradient"),
        ("constrained lasso", SquaredError(), Mean(), LqBall(1, 0.5), "proximal gradient"),
        ("largest square", SquaredError(), Max(), None, "subgradient"),
    ],
)
def test_the_menu(method, loss, functional, penalty, kind):
    kind_of = loss.loss.targets if isinstance(loss, SigmoidLoss) else loss.targets
    y = UNIT if isinstance(loss, SigmoidLoss) else TARGETS[kind_of]
    problem = LinearProblem(X, y, loss, penalty, functional)
    choice = choose_solver(problem)
    assert choice.kind == kind
    assert choice.reason
    check_fits(choice.solver, problem)
    result = minimize(problem, trace=False)
    assert result.converged or kind == "subgradient", result.message
    assert result.value <= problem.value(np.zeros(problem.size)), method


@pytest.mark.parametrize("functional", [Mean(), Max()], ids=repr)
@pytest.mark.parametrize(
    "penalty", [None, L2(0.2), L1(0.1), Lq(1.5, 0.1), LqBall(2, 1.0)], ids=repr
)
@pytest.mark.parametrize("cls", LOSSES)
def test_the_choice_always_fits(cls, functional, penalty):
    problem = LinearProblem(X, TARGETS[cls.targets], cls(), penalty, functional)
    if cls is ZeroOne:
        with pytest.raises(
            ValueError, match=r"no solver can minimise this problem: ZeroOne has no deriv"
        ):
            choose_solver(problem)
    else:
        check_fits(choose_solver(problem).solver, problem)


def test_many_unknowns_get_no_hessian():
    wide = LinearProblem(np.ones((2, 3000)), [0.0, 1.0], Logistic(), L2(2.0))
    choice = choose_solver(wide)
    assert (type(choice.solver).__name__, choice.kind) == ("LBFGS", "gradient")
    assert "many unknowns" in choice.reason


def test_functions():
    assert choose_solver(Function(lambda x: x @ x)).kind == "gradient"
    assert "restarts" in choose_solver(Function(lambda x: x @ x)).reason
    assert choose_solver(Function(lambda x: abs(x[0]), smooth=False)).kind == "subgradient"
