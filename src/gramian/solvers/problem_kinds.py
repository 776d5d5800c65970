"""The kind of problem that loss, functional and penalty form, and a solver for it."""

from typing import Literal, NamedTuple, TypeAlias

from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Solver
from gramian.solvers.solver_names import solver_named

ProblemKind: TypeAlias = Literal[
    "closed form",
    "linear program",
    "quadratic program",
    "reweighted least squares",
    "gradient",
    "proximal gradient",
    "subgradient",
]

MANY = 2000  # unknowns above which no Hessian is formed
SOME = 250  # unknowns above which it is formed once, not at every step


class SolverChoice(NamedTuple):
    """A solver that suits a problem.

    Attributes
    ----------
    solver
        The solver.
    kind
        The kind of optimisation problem.
    reason
        The reason for the choice.
    """

    solver: Solver
    kind: ProblemKind
    reason: str


def choose_solver(problem: Problem) -> SolverChoice:
    """Return a solver that suits the problem, the kind of problem, and the reason.

    ======================================  =========================================
    squared error, mean or weighted sum     closed form: the normal equations
    absolute, hinge ... + nothing or L1     linear program
    the same with a quadratic penalty       quadratic program: interior points
    squared error + L1 or elastic net       quadratic program (here: proximal gradient)
    convex and smooth (logistic, Poisson)   reweighted least squares, or L-BFGS if large
    smooth, not convex                      gradient (L-BFGS), a local minimum
    smooth + kinked penalty                 proximal gradient
    anything else with a subgradient        subgradient method
    ======================================  =========================================

    Parameters
    ----------
    problem
        A `LinearProblem` or any other `Problem`.

    Examples
    --------
    >>> from gramian.objectives import AbsoluteError, L1, LinearProblem, SquaredError
    >>> X, y = [[0.0], [1.0]], [0.0, 1.0]
    >>> choose_solver(LinearProblem(X, y, SquaredError())).kind
    'closed form'
    >>> choose_solver(LinearProblem(X, y, AbsoluteError())).kind
    'linear program'
    >>> choose_solver(LinearProblem(X, y, SquaredError(), L1(0.1))).kind
    'quadratic program'
    """
    lacking = problem.lacking()
    large = problem.size is not None and problem.size > MANY
    if "quadratic" not in lacking and not large:
        return _choice("newton", "closed form", "J is quadratic: one Newton step solves it")
    if "linear program" not in lacking:
        return _choice("linear-program", "linear program", "J is piecewise linear")
    if "quadratic program" not in lacking:
        kinked = "the loss is piecewise linear, the penalty quadratic"
        if not large:
            return _choice("quadratic-program", "quadratic program", kinked)
        if "dual" not in lacking:
            return _choice("dual", "quadratic program", f"{kinked}, and there are many unknowns")
    if "least squares" not in lacking and (problem.size or 0) <= SOME:
        return _choice("irls", "reweighted least squares", "J is smooth and convex")
    if "gradient" not in lacking:
        many = problem.size is not None and problem.size > SOME
        reason = "J is smooth" + (" and has many unknowns" if many else "") + _local(problem)
        return _choice("lbfgs", "gradient", reason)
    if "prox" not in lacking:
        kind: ProblemKind = "quadratic program" if _quadratic_loss(problem) else "proximal gradient"
        return _choice("proximal", kind, "J is smooth except for a penalty with a prox")
    if "subgradient" not in lacking:
        kind = "quadratic program" if "quadratic program" not in lacking else "subgradient"
        return _choice("subgradient", kind, lacking["gradient"])
    raise ValueError(
        f"choose_solver: no solver can minimise this problem: {lacking['subgradient']}. Fit with "
        "another loss, for instance Logistic or Hinge, and use this one as a metric."
    )


def _choice(name: str, kind: ProblemKind, reason: str) -> SolverChoice:
    return SolverChoice(solver_named(name, {}), kind, reason)


def _local(problem: Problem) -> str:
    """Add a warning about local minima if the problem may have any."""
    convex = isinstance(problem, LinearProblem) and problem.loss.convex
    return "" if convex else "; it may have many local minima, see restarts"


def _quadratic_loss(problem: Problem) -> bool:
    if not isinstance(problem, LinearProblem) or not problem.loss.quadratic:
        return False
    return type(problem.penalty).__name__ in ("L1", "ElasticNet")
