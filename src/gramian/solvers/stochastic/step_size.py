"""Tuning of the learning rate on a subsample of the rows."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.solvers.solver import Solver

S = TypeVar("S", bound=Solver)


class Tuning(NamedTuple):
    """The results of a grid of learning rates.

    Attributes
    ----------
    solver
        The solver with the best rate, for the full data.
    steps
        The rates tried.
    values
        The value of J on the subsample that each reached.
    """

    solver: Any
    steps: Floats
    values: Floats


def tune_step(
    solver: S,
    problem: LinearProblem,
    steps: Iterable[float] = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001),
    *,
    rows: float = 0.1,
    random_state: object = None,
) -> Tuning:
    """Try learning rates on a random subsample; return the solver with the best one.

    Parameters
    ----------
    solver
        A solver with a `step`; its `max_iter` applies to every trial.
    problem
        The problem on all rows.
    steps
        The rates to try.
    rows
        The fraction of the rows used, in (0, 1].
    random_state
        Seed of the subsample.

    Returns
    -------
    tuning
        A `Tuning`: the solver to use, the rates, and the values they reached (infinite if the trial
        diverged).

    Examples
    --------
    >>> from gramian.objectives import LinearProblem, SquaredError
    >>> from gramian.solvers import StochasticGradient
    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> problem = LinearProblem(X, 2 * X[:, 0] + 1, SquaredError())
    >>> rule = StochasticGradient(batch_size=1, max_iter=3, random_state=0)
    >>> tune_step(rule, problem, [10.0, 0.1, 1e-4], rows=0.5, random_state=0).solver.step
    0.1
    """
    if not hasattr(solver, "step"):
        raise ParameterError(f"tune_step: {type(solver).__name__} has no parameter step to tune.")
    if not 0 < rows <= 1:
        raise ParameterError(f"tune_step: rows must be a number in (0, 1]; got {rows!r}.")
    rng = stream(seed_of(random_state))
    size = max(1, round(rows * problem.n_rows))
    part = problem.subset(np.sort(rng.permutation(problem.n_rows)[:size]))
    tried = np.array(list(steps), dtype=float)
    values = np.array([_reached(_with_step(solver, float(step)), part) for step in tried])
    if not np.isfinite(values).any():
        raise ParameterError(
            f"tune_step: every rate diverged; got {tried.tolist()}. Try smaller ones."
        )
    return Tuning(_with_step(solver, float(tried[int(np.argmin(values))])), tried, values)


def _with_step(solver: S, step: float) -> S:
    return replace(solver, step=step)  # type: ignore[call-arg]


def _reached(solver: Solver, problem: LinearProblem) -> float:
    result = solver.minimize(problem, trace=False)
    last = float(result.trace.values[-1])
    return result.value if np.isfinite(last) else float("inf")
