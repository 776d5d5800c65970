"""The function `minimize`: one interface to all solvers."""

from collections.abc import Callable
from typing import Any, Literal

import numpy.typing as npt

from gramian.base.randomness import seed_of, stream
from gramian.objectives.function import as_problem
from gramian.objectives.problem import Problem
from gramian.solvers.problem_kinds import choose_solver
from gramian.solvers.solver import Callback, Result, Solver
from gramian.solvers.solver_names import solver_named


def minimize(
    problem: Problem | Callable[[Any], Any],
    solver: str | Solver = "auto",
    start: npt.ArrayLike | Literal["random"] | None = None,
    *,
    trace: bool | None = None,
    callback: Callback | None = None,
    random_state: object = None,
    **settings: Any,
) -> Result:
    """Minimise a problem or a function with a solver.

    Parameters
    ----------
    problem
        A `LinearProblem`, a `Function`, or a plain function of a vector, whose derivatives are
        then computed by finite differences.
    solver
        A `Solver`, or the name of one: "gradient", "sgd", "momentum", "adagrad", "rmsprop",
        "adam", "amsgrad", "newton", "newton-cg", "bfgs", "lbfgs", "conjugate", "irls",
        "subgradient", "proximal", "linear-program"; "auto" uses `choose_solver`.
    start
        The first iterate; zeros by default, "random" for standard normal numbers.
    trace
        Whether to record the iterates; by default if there are at most 100 unknowns.
    callback
        Called as ``callback(t, iterate)``; return True to stop.
    random_state
        Seed of a random start.
    **settings
        Fields of the solver, if it is given by name: ``minimize(f, "adam", step=0.1)``.

    Returns
    -------
    result
        A `Result`: x, value, gradient_norm, iterations, converged, message and trace.

    Examples
    --------
    >>> minimize(lambda x: (x[0] - 3) ** 2, start=[0.0]).x.round(4)
    array([3.])
    >>> from gramian.objectives import LinearProblem, SquaredError
    >>> line = LinearProblem([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0], SquaredError())
    >>> minimize(line, "gradient", step=0.1).x.round(4)
    array([2., 1.])
    """
    problem = as_problem(problem)
    if solver == "auto":
        solver = choose_solver(problem).solver
        if settings:
            raise TypeError("minimize: settings require the name of a solver; got solver='auto'.")
    elif isinstance(solver, str):
        solver = solver_named(solver, settings)
    elif not isinstance(solver, Solver):
        raise TypeError(f"minimize: solver must be a name or a Solver; got {solver!r}.")
    elif settings:
        raise TypeError(
            f"minimize: settings are allowed only with the name of a solver; got {solver!r} and "
            f"{', '.join(settings)}. Set the fields of the solver instead."
        )
    if isinstance(start, str):
        if start != "random":
            raise ValueError(f"minimize: start must be numbers or 'random'; got {start!r}.")
        rng = stream(seed_of(random_state))
        start = rng.standard_normal(len(problem.start()))
    return solver.minimize(problem, start, trace=trace, callback=callback)
