"""A linear problem on rows in chunks: every evaluation is one pass over all chunks."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np

from gramian.base.rows.parts import add
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import Penalty
from gramian.objectives.problem import Piece, Problem

_S = TypeVar("_S")


class ChunkedRows(Protocol):
    """Rows in chunks that a problem can pass over, such as `Chunks` and `LabelChunks`."""

    @property
    def in_memory(self) -> bool:
        """Whether all rows are arrays in memory, which chunks use without a copy."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Yield the contents of each chunk on this worker."""
        ...

    def total(self, step: Callable[[Any], _S], merge: Callable[[_S, _S], _S]) -> _S:
        """Run `step` over all chunks, in one pass, and merge its results."""
        ...


class ChunkedProblem(Problem):
    """The sum of the chunks' costs, and a penalty.

    The problems of chunks in memory are built once, others on every pass.

    Parameters
    ----------
    rows
        The chunks.
    problem_of
        Builds a problem without a penalty from the contents of one chunk.
    penalty
        A smooth penalty on the weights, or None.
    shape
        The shape of the unknowns, the bias last.
    intercept
        Whether to fit a bias.
    """

    def __init__(
        self,
        rows: ChunkedRows,
        chunk_problem: Callable[..., LinearProblem],
        penalty: Penalty | None,
        shape: tuple[int, ...],
        *,
        intercept: bool,
    ) -> None:
        self.rows = rows
        self.chunk_problem = chunk_problem
        self.penalty = penalty
        self.shape = shape
        self.intercept = intercept
        self.size: int = int(np.prod(shape))
        self._problems: list[LinearProblem] = []

    def lacking(self) -> dict[Piece, str]:
        """Return the pieces that a problem in chunks does not have, with the reason."""
        words = "the rows come in chunks"
        pieces: tuple[Piece, ...] = ("rows", "prox", "quadratic", "linear program", "dual")
        return dict.fromkeys(pieces, words)

    def _penalised(self, x: Floats) -> Floats:
        bias = self.intercept and not (self.penalty is not None and self.penalty.bias)
        return x.reshape(self.shape)[: self.shape[0] - bias]

    def value(self, x: Floats) -> float:
        """Return J(x)."""
        return self.value_and_gradient(x)[0]

    def value_and_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Return J(x) and its gradient."""
        J, g = self._total(partial(_first_order, x))
        if self.penalty is not None:
            w = self._penalised(x)
            J += self.penalty.value(w)
            g[: w.size] += self.penalty.subgradient(w).reshape(-1)
        return J, g

    def second_order(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Return J(x), its gradient and its Hessian."""
        J, g, H = self._total(partial(_second_order, x))
        if self.penalty is not None:
            w = self._penalised(x)
            J += self.penalty.value(w)
            g[: w.size] += self.penalty.subgradient(w).reshape(-1)
            self.penalty.add_hessian(w, H)
        return J, g, H

    def _total(self, step: Callable[[Iterable[LinearProblem]], _S]) -> _S:
        if not self.rows.in_memory:
            found: _S = self.rows.total(partial(_sum_over_chunks, step, self.chunk_problem), add)
            return found
        if not self._problems:
            self._problems = [self.chunk_problem(*chunk) for chunk in self.rows]
        return step(self._problems)


def _sum_over_chunks(
    step: Callable[[Iterable[LinearProblem]], _S],
    chunk_problem: Callable[..., LinearProblem],
    rows: Iterable[Any],
) -> _S:
    return step(chunk_problem(*chunk) for chunk in rows)


def _first_order(x: Floats, problems: Iterable[LinearProblem]) -> tuple[float, Floats]:
    J, g = 0.0, np.zeros(x.size)
    for problem in problems:
        value, slope = problem.value_and_gradient(x)
        J, g = J + value, g + slope
    return J, g


def _second_order(x: Floats, problems: Iterable[LinearProblem]) -> tuple[float, Floats, Floats]:
    J, g, H = 0.0, np.zeros(x.size), np.zeros((x.size, x.size))
    for problem in problems:
        value, slope, curved = problem.second_order(x)
        J, g, H = J + value, g + slope, H + curved
    return J, g, H
