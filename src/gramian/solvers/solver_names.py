"""The solvers by name, what each requires, and the error if a problem lacks it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Piece, Problem

if TYPE_CHECKING:
    from gramian.solvers.solver import Solver


class Named(NamedTuple):
    """The module of a solver, the settings that its name implies, and the parts it needs."""

    path: str
    needs: tuple[Piece, ...]
    settings: dict[str, Any]


# In the order in which they are recommended if another one is not applicable.
SOLVERS: dict[str, Named] = {
    "lbfgs": Named("second_order.lbfgs.LBFGS", ("gradient",), {}),
    "newton": Named("second_order.newton.Newton", ("hessian",), {}),
    "irls": Named("second_order.irls.IRLS", ("least squares",), {}),
    "linear-program": Named("programs.linear_program.LinearProgram", ("linear program",), {}),
    "dual": Named("coordinate.dual_coordinate.DualCoordinate", ("dual",), {}),
    "quadratic-program": Named(
        "programs.interior_point.QuadraticProgram", ("quadratic program",), {}
    ),
    "proximal": Named("first_order.proximal_gradient.ProximalGradient", ("prox",), {}),
    "subgradient": Named("first_order.subgradient.Subgradient", ("subgradient",), {}),
    "newton-cg": Named("second_order.newton.Newton", ("hessian",), {"system": "cg"}),
    "bfgs": Named("second_order.bfgs.BFGS", ("subgradient",), {}),
    "conjugate": Named("first_order.conjugate_gradient.ConjugateGradient", ("gradient",), {}),
    "coordinate": Named("coordinate.coordinate_descent.CoordinateDescent", ("hessian",), {}),
    "gradient": Named("first_order.gradient_descent.GradientDescent", ("gradient",), {}),
    "sgd": Named("stochastic.stochastic_gradient.StochasticGradient", ("rows",), {"batch_size": 1}),
    "momentum": Named("stochastic.momentum.Momentum", ("subgradient",), {}),
    "adagrad": Named("stochastic.adagrad.AdaGrad", ("subgradient",), {}),
    "rmsprop": Named("stochastic.rmsprop.RMSprop", ("subgradient",), {}),
    "adam": Named("stochastic.adam.Adam", ("subgradient",), {}),
    "amsgrad": Named("stochastic.amsgrad.AMSGrad", ("subgradient",), {}),
}

_WORDS: dict[Piece, str] = {
    "value": "values",
    "subgradient": "a subgradient",
    "gradient": "a gradient",
    "hessian": "a Hessian",
    "rows": "gradients of single rows",
    "least squares": "a Newton step that is a least-squares fit",
    "prox": "a smooth loss and a penalty with a prox",
    "quadratic": "a quadratic cost",
    "linear program": "a cost that is piecewise linear",
    "quadratic program": "a piecewise linear loss and at most a quadratic penalty",
    "dual": "a dual with one unknown per row",
}


def solver_named(name: str, settings: dict[str, Any]) -> "Solver":
    """Return the solver by name, with the given settings in place of the defaults."""
    if name not in SOLVERS:
        raise ValueError(
            f"minimize: solver must be one of {', '.join(map(repr, SOLVERS))}, 'auto' or a "
            f"Solver; got {name!r}."
        )
    entry = SOLVERS[name]
    module, _, cls = entry.path.rpartition(".")
    made = getattr(import_module(f"gramian.solvers.{module}"), cls)
    try:
        return made(**(entry.settings | settings))  # type: ignore[no-any-return]
    except TypeError as error:
        raise TypeError(f"minimize: solver {name!r}: {error}.") from None


def check_fits(solver: "Solver", problem: Problem) -> None:
    """Raise if the problem lacks a piece that the solver requires; suggest another solver."""
    lacking = problem.lacking()
    for piece in solver.needs():
        if piece in lacking:
            fitting = [n for n, entry in SOLVERS.items() if not set(entry.needs) & set(lacking)]
            remedy = f"Use solver={fitting[0]!r}" if fitting else "Use another loss"
            raise ValueError(
                f"{type(solver).__name__}: needs {_WORDS[piece]}; but {lacking[piece]}"
                f"{_describe_parts(problem)}. {remedy}."
            )


def _describe_parts(problem: Problem) -> str:
    """Return a description of the parts of a linear problem."""
    if not isinstance(problem, LinearProblem):
        return ""
    parts = [problem.loss, problem.functional, problem.penalty]
    names = [type(part).__name__ for part in parts if part is not None]
    return f" (loss, functional, penalty: {', '.join(names)})"
