"""The one entry: names, settings, traces, and the message where parts do not fit."""

import inspect
import re
from dataclasses import fields

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import gramian.solvers
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Positive, params
from gramian.objectives import (
    L1,
    L2,
    AbsoluteError,
    Function,
    Hinge,
    LinearProblem,
    Logistic,
    Loss,
    Max,
    SquaredError,
    ZeroOne,
)
from gramian.solvers import (
    LBFGS,
    GradientDescent,
    InverseTime,
    Iterate,
    Newton,
    NewtonRaphson,
    Solver,
    StochasticGradient,
    choose_solver,
    minimize,
)
from gramian.solvers.solver_names import SOLVERS, solver_named
from gramian.solvers.stochastic.update import UpdateSolver
from tests.solvers.problems import logistic, rosenbrock

X = np.array([[0.0], [1.0], [2.0]])
Y = np.array([0.0, 2.0, 1.0])
SIGN = np.array([-1.0, 1.0, 1.0])
ADAPTIVE = {"momentum", "adagrad", "rmsprop", "adam", "amsgrad"}
PROGRAMS = {"linear-program", "quadratic-program"}
SPECIAL = {"dual", "irls", "proximal", "sgd", *PROGRAMS}
GENERAL = [name for name in SOLVERS if name not in SPECIAL]


@pytest.mark.parametrize("name", GENERAL)
def test_every_solver_takes_a_users_own_function(name):
    settings = {"step": 0.1} if name in {*ADAPTIVE, "gradient"} else {}
    result = minimize(
        lambda x: (x[0] - 1) ** 2 + 2 * (x[1] + 0.5) ** 2, name, start=[0.0, 0.0], **settings
    )
    assert_allclose(result.x, [1, -0.5], atol=0.1 if name == "rmsprop" else 1e-2)


@pytest.mark.parametrize("name", sorted(set(SOLVERS) - PROGRAMS - {"rmsprop"}))
def test_every_solver_finds_the_same_logistic_fit(name):
    settings = {"step": 0.5, "max_iter": 3000} if name in ADAPTIVE else {}
    if name == "sgd":
        settings = {
            "step": InverseTime(1.0, 30),
            "random_state": 0,
            "max_iter": 200,
        }
    problem = logistic(n=40, d=2, strength=0.1)
    best = Newton(tol=1e-10).minimize(problem)
    assert minimize(problem, name, **settings).value == pytest.approx(best.value, abs=1e-4)


@pytest.mark.parametrize("name", SOLVERS)
def test_the_table_says_what_the_solvers_need(name):
    solver = solver_named(name, {})
    assert solver.needs() == SOLVERS[name].needs


def test_the_table_has_every_solver():
    exported = {
        value
        for name in gramian.solvers.__all__
        if inspect.isclass(value := getattr(gramian.solvers, name)) and issubclass(value, Solver)
    }
    unnamed = {Solver, gramian.solvers.ProjectedGradient}  # which needs to be told onto what
    assert {type(solver_named(name, {})) for name in SOLVERS} == exported - unnamed


@pytest.mark.parametrize("name", SOLVERS)
def test_the_docstring_names_every_field(name):
    cls = type(solver_named(name, {}))
    section = re.search(r"Parameters\n-+\n(.*?)\n\nExamples\n", cls.__doc__, re.S)
    named = re.findall(r"^(\w+) :", section.group(1), flags=re.M)
    assert sorted(named) == sorted(f.name for f in fields(cls))


PARTS = "(loss, functional, penalty: {})"
MISFITS = [
    (
        "newton",
        LinearProblem(X, Y, AbsoluteError()),
        "Newton: needs a Hessian",
        "AbsoluteError has no derivative at z = y " + PARTS.format("AbsoluteError, Mean"),
        "solver='linear-program'",
    ),
    (
        "lbfgs",
        LinearProblem(X, Y, SquaredError(), L1(0.1)),
        "LBFGS: needs a gradient",
        "L1 has no derivative where a weight is 0 " + PARTS.format("SquaredError, Mean, L1"),
        "solver='proximal'",
    ),
    (
        "irls",
        LinearProblem(X, SIGN, Hinge(), L2(0.1)),
        "IRLS: needs a Newton step that is a least-squares fit",
        "Hinge has no derivative at y z = 1 " + PARTS.format("Hinge, Mean, L2"),
        "solver='dual'",
    ),
    (
        "sgd",
        LinearProblem(X, Y, SquaredError(), None, Max()),
        "StochasticGradient: needs gradients of single rows",
        "Max is not a sum over rows " + PARTS.format("SquaredError, Max"),
        "solver='subgradient'",
    ),
    (
        "proximal",
        LinearProblem(X, SIGN, Hinge(), L1(0.1)),
        "ProximalGradient: needs a smooth loss and a penalty with a prox",
        "Hinge has no derivative at y z = 1 " + PARTS.format("Hinge, Mean, L1"),
        "solver='linear-program'",
    ),
    (
        "linear-program",
        LinearProblem(X, [0.0, 1.0, 0.0], Logistic()),
        "LinearProgram: needs a cost that is piecewise linear",
        "Logistic is not piecewise linear " + PARTS.format("Logistic, Mean"),
        "solver='lbfgs'",
    ),
    (
        "adam",
        LinearProblem(X, SIGN, ZeroOne()),
        "Adam: needs a subgradient",
        "ZeroOne has no derivative anywhere that would point downhill "
        + PARTS.format("ZeroOne, Mean"),
        "another loss",
    ),
    (
        "irls",
        rosenbrock(),
        "IRLS: needs a Newton step that is a least-squares fit",
        "a function given as such is not a sum of losses",
        "solver='lbfgs'",
    ),
    (
        StochasticGradient(batch_size=1),
        rosenbrock(),
        "StochasticGradient: needs gradients of single rows",
        "no rows_gradient was given",
        "solver='lbfgs'",
    ),
    (
        LBFGS(search=NewtonRaphson()),
        Function(lambda x: abs(x[0]), smooth=False),
        "LBFGS: needs a gradient",
        "the function was declared non-smooth",
        "solver='subgradient'",
    ),
]


@pytest.mark.parametrize(("solver", "problem", "needs", "reason", "remedy"), MISFITS)
def test_what_does_not_fit_names_the_part_the_piece_and_a_solver(
    solver, problem, needs, reason, remedy
):
    words = f"{needs}; but {reason}. Use {remedy}."
    with pytest.raises(ValueError, match=re.escape(words)):
        minimize(problem, solver, start=np.zeros(2))


def test_names_and_settings():
    assert repr(solver_named("newton-cg", {"ridge": 0.1})) == "Newton(system='cg', ridge=0.1)"
    with pytest.raises(ValueError, match=r"solver must be one of 'lbfgs', 'newton'.*got 'nwton'"):
        minimize(rosenbrock(), "nwton")
    with pytest.raises(TypeError, match=r"solver 'newton'.*speed"):
        minimize(rosenbrock(), "newton", speed=3)
    with pytest.raises(TypeError, match="has its settings already; got tol"):
        minimize(rosenbrock(), Newton(), tol=1.0)
    with pytest.raises(TypeError, match="name a solver to give it settings"):
        minimize(rosenbrock(), tol=1.0)
    with pytest.raises(TypeError, match="a name or a Solver; got 3"):
        minimize(rosenbrock(), 3)


def test_starts():
    assert_array_equal(minimize(rosenbrock(), "gradient", max_iter=0).x, [0, 0])
    assert_array_equal(minimize(rosenbrock(), "gradient", [3.0, 4.0], max_iter=0).x, [3, 4])
    random = [
        minimize(rosenbrock(), "gradient", "random", max_iter=0, random_state=seed).x
        for seed in (0, 0, 1)
    ]
    assert_array_equal(random[0], random[1])
    assert (random[0] != random[2]).all()
    with pytest.raises(ValueError, match="numbers or 'random'; got 'ones'"):
        minimize(rosenbrock(), "gradient", "ones")
    with pytest.raises(DataError, match="give a start, or the size"):
        minimize(lambda x: x[0] ** 2)


def test_the_start_is_not_changed():
    start = np.array([-1.2, 1.0])
    minimize(rosenbrock(), "lbfgs", start)
    assert start.tolist() == [-1.2, 1.0]


@pytest.mark.parametrize("name", SOLVERS)
def test_the_trace_is_the_path(name):
    problem = LinearProblem(X, Y, AbsoluteError()) if name in PROGRAMS else logistic(n=20, d=2)
    start = np.full(problem.size, 0.1)
    result = minimize(problem, name, start, max_iter=5 if name != "linear-program" else 100)
    trace = result.trace
    assert trace.iterates.shape == (result.iterations + 1, problem.size)
    assert len(trace.values) == len(trace.gradient_norms) == result.iterations + 1
    assert_array_equal(trace.iterates[0], start)
    assert_allclose(trace.values, [problem.value(x) for x in trace.iterates], rtol=1e-12)
    assert result.value == problem.value(result.x)
    if name != "proximal":  # its gradient is that of the mapping
        norms = [np.linalg.norm(problem.gradient(x)) for x in trace.iterates]
        assert_allclose(trace.gradient_norms, norms, rtol=1e-10)
    assert result.message


def test_iterates_are_kept_by_default_where_they_are_few():
    wide = LinearProblem(np.ones((2, 200)), [1.0, 1.0], Logistic(), L2(1.0))
    assert minimize(wide, "gradient", max_iter=2).trace.iterates is None
    assert minimize(wide, "gradient", max_iter=2, trace=True).trace.iterates.shape == (3, 201)
    assert minimize(rosenbrock(), "gradient", max_iter=2, trace=False).trace.iterates is None
    assert len(minimize(wide, "gradient", max_iter=2).trace.values) == 3


def test_a_callback_sees_every_iterate_and_may_stop():
    seen = []
    result = GradientDescent().minimize(
        rosenbrock(), callback=lambda t, now: seen.append((t, now.value)) or t == 3
    )
    assert [t for t, _ in seen] == [0, 1, 2, 3]
    assert [value for _, value in seen] == result.trace.values.tolist()
    assert not result.converged
    assert "callback after 3" in result.message


def test_a_start_where_the_cost_is_infinite_is_reported():
    f = Function(lambda x: np.log(x[0]), lambda x: 1 / x)
    result = minimize(f, "lbfgs", [0.0])
    assert not result.converged
    assert "diverged" in result.message


def test_errors_of_a_users_function_pass_through():
    def broken(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        minimize(broken, "lbfgs", [0.0])


def test_update_rules_share_one_loop():
    for name in ("sgd", *ADAPTIVE):
        cls = type(solver_named(name, {}))
        assert issubclass(cls, UpdateSolver)
        assert "_iterates" not in vars(cls)


def test_a_loss_and_a_solver_of_ones_own():
    """Those of the user guide."""

    class Huber(Loss):
        smoothness = "once"

        def value(self, y, z):
            r = np.abs(z - y)
            return np.where(r <= 1, r**2 / 2, r - 1 / 2)

        def derivative(self, y, z):
            return np.clip(z - y, -1, 1)

    @params
    class SignDescent(Solver):
        """x <- x - step sign(grad J)."""

        step: Positive = 0.01

        def _iterates(self, problem, x):
            while True:
                J, g = problem.value_and_gradient(x)
                yield Iterate(x, J, g)
                x = x - self.step * np.sign(g)

    x = np.linspace(-1, 1, 21)[:, None]
    y = 2 * x[:, 0] + 1
    y[3] = 50.0
    problem = LinearProblem(x, y, Huber())
    assert choose_solver(problem).kind == "gradient"
    assert_allclose(minimize(problem).x, [2, 1], atol=0.2)
    with pytest.raises(ValueError, match="Newton: needs a Hessian; but Huber has no second deriv"):
        minimize(problem, "newton")
    assert_allclose(SignDescent().minimize(problem).x, minimize(problem).x, atol=0.02)
    with pytest.raises(ParameterError, match="SignDescent: step must be a number > 0; got 0"):
        minimize(problem, SignDescent(0))
