"""Solvers by name, and the error if a problem lacks what a solver needs."""

import inspect
import re
from dataclasses import fields

import numpy as np
import pytest

import gramian.solvers
from gramian.objectives import (
    L1,
    L2,
    AbsoluteError,
    Function,
    Hinge,
    LinearProblem,
    Logistic,
    Max,
    SquaredError,
    ZeroOne,
)
from gramian.solvers import LBFGS, Newton, Solver, StochasticGradient, minimize
from gramian.solvers.solver_names import SOLVERS, solver_named
from gramian.textbook.optimization import NewtonRaphson
from tests.solvers.problems import rosenbrock
from tests.solvers.solver_cases import X, Y

SIGN = np.array([-1.0, 1.0, 1.0])


@pytest.mark.parametrize("name", SOLVERS)
def test_the_table_lists_what_the_solvers_need(name):
    solver = solver_named(name, {})
    assert solver.needs() == SOLVERS[name].needs


def test_the_table_has_every_solver():
    exported = {
        value
        for name in gramian.solvers.__all__
        if inspect.isclass(value := getattr(gramian.solvers, name)) and issubclass(value, Solver)
    }
    assert {type(solver_named(name, {})) for name in SOLVERS} == exported - {Solver}


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
        LinearProblem(X, SIGN, Hinge(), L2(0.2)),
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
        "ZeroOne has no derivative that a descent could follow " + PARTS.format("ZeroOne, Mean"),
        "another loss",
    ),
    (
        "irls",
        rosenbrock(),
        "IRLS: needs a Newton step that is a least-squares fit",
        "a plain function is not a sum of losses",
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
    with pytest.raises(TypeError, match=r"only with the name of a solver; got .* and tol"):
        minimize(rosenbrock(), Newton(), tol=1.0)
    with pytest.raises(TypeError, match="settings require the name of a solver"):
        minimize(rosenbrock(), tol=1.0)
    with pytest.raises(TypeError, match="a name or a Solver; got 3"):
        minimize(rosenbrock(), 3)
