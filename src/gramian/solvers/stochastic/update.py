"""The loop shared by stochastic gradient descent and its relatives.

Each variant computes a step from a gradient and a memory. With all rows
(`batch_size=None`) the gradient is exact; with b rows it is an unbiased estimate from b rows.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Count, Function, Positive, Seed, check_params, params
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.solver import Iterate, Solver

Memory: TypeAlias = tuple[Floats, ...]


@params
class UpdateSolver(Solver):
    """Gradient steps with a memory.

    Parameters
    ----------
    step
        The learning rate epsilon, or a function of t = 1, 2, ...
        (`InverseTime`, `InverseRoot`, `Staircase`).
    batch_size
        Rows per update; None uses all rows, the exact gradient.
    order
        "shuffle" visits all rows in a new random order in each pass; "sample" draws every batch
        uniformly, with replacement.
    random_state
        Seed or generator for the random draws.
    max_iter
        Maximum number of passes over the rows.
    tol
        Stop when the norm of the full gradient after a pass is at most this.
    decrease
        Ignored, because J may rise.
    """

    monotone = False
    copies: ClassVar[int]  # vectors of the length of x in memory, including x

    step: Positive | Function = 0.01
    _: KW_ONLY
    batch_size: Count | None = None
    order: Literal["shuffle", "sample"] = "shuffle"
    random_state: Seed = None

    @abstractmethod
    def _remember(self, x: Floats) -> Memory:
        """Return the memory before the first gradient."""

    @abstractmethod
    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        """Return the step of update t = 1, 2, ... and the memory after it."""

    def needs(self) -> tuple[Piece, ...]:
        """Return "rows" if there are batches, else "subgradient"."""
        return ("subgradient",) if self.batch_size is None else ("rows",)

    def _rate(self, t: int) -> float:
        return float(self.step(t)) if callable(self.step) else self.step

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        rng = stream(seed_of(self.random_state))
        memory, t = self._remember(x), 0
        while True:
            J, g = problem.value_and_gradient(x)
            yield Iterate(x, J, g)
            for rows in self._batches(problem, rng):
                if rows is not None:
                    g = problem.rows_gradient(x, rows)
                t += 1
                move, memory = self._move(g, memory, t)
                x = x + move

    def _batches(
        self, problem: Problem, rng: np.random.Generator
    ) -> Iterable[npt.NDArray[np.intp] | None]:
        """Return the batches of one pass; None means all rows."""
        if self.batch_size is None:
            return [None]
        n = problem.n_rows
        rows = rng.permutation(n) if self.order == "shuffle" else rng.integers(n, size=n)
        return (rows[i : i + self.batch_size] for i in range(0, n, self.batch_size))

    def online(
        self, arrivals: Iterable[Problem], start: npt.ArrayLike | None = None
    ) -> Iterator[Floats]:
        """Learn online: make one update each time data arrive.

        Parameters
        ----------
        arrivals
            Problems of the same unknowns, for instance a `LinearProblem` of one new row each.
        start
            The first iterate; zeros by default.

        Yields
        ------
        x
            The unknowns after each arrival.

        Examples
        --------
        >>> from gramian.objectives import LinearProblem, SquaredError
        >>> from gramian.solvers import StochasticGradient
        >>> rows = (LinearProblem([[1.0]], [3.0], SquaredError(), intercept=False) for _ in "abc")
        >>> [float(x[0]) for x in StochasticGradient(0.5).online(rows)]
        [1.5, 2.25, 2.625]
        """
        check_params(self)
        x: Floats | None = None
        memory: Memory = ()
        for t, problem in enumerate(arrivals, 1):
            if x is None:
                x = problem.start(start)
                memory = self._remember(x)
            move, memory = self._move(problem.gradient(x), memory, t)
            x = x + move
            yield x
