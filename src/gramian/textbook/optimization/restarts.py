"""Random restarts: the best of several local minima."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Result, Solver


@dataclass(frozen=True)
class Restarts:
    """The results of several starts.

    Attributes
    ----------
    best
        The `Result` with the lowest value.
    results
        All results, in the order of the starts.
    values
        Values of the results.
    """

    best: Result
    results: tuple[Result, ...]
    values: Floats

    @property
    def spread(self) -> float:
        """The largest value found minus the smallest: 0 if all starts agree."""
        return float(self.values.max() - self.values.min())


def restarts(
    problem: Problem,
    solver: Solver,
    starts: int = 10,
    *,
    scale: float = 1.0,
    sample: Callable[[np.random.Generator], Floats] | None = None,
    random_state: object = None,
) -> Restarts:
    """Minimise from several random starts and keep the lowest value.

    Parameters
    ----------
    problem
        What to minimise; its size must be known unless `sample` is given.
    solver
        The solver, run from every start.
    starts
        Number of starts.
    scale
        The standard deviation of normal starts around 0.
    sample
        Function that draws a start from a generator, instead of normal starts.
    random_state
        Seed for the starts.

    Returns
    -------
    found
        A `Restarts`: best result, all results, their values and spread.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers import LBFGS
    >>> waves = Function(lambda x: x[0] ** 2 / 20 + np.sin(3 * x[0]), size=1)
    >>> found = restarts(waves, LBFGS(), 20, scale=4.0, random_state=0)
    >>> found.best.x.round(3), found.spread > 0
    (array([-0.518]), True)
    """
    if starts < 1:
        raise ParameterError(f"restarts: starts must be an integer >= 1; got {starts!r}.")
    seed = seed_of(random_state)
    results = []
    for i in range(starts):
        rng = stream(seed, i)
        x = sample(rng) if sample else scale * rng.standard_normal(len(problem.start()))
        results.append(solver.minimize(problem, x))
    values = np.array([result.value for result in results])
    return Restarts(results[int(np.nanargmin(values))], tuple(results), values)
