"""A linear problem whose rows come in chunks: every evaluation is one pass over all chunks."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np

from gramian.base.rows.parts import add
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import Penalty
from gramian.objectives.problem import Piece, Problem

_S = TypeVar("_S")


class PassedOver(Protocol):
    """Rows that a step can be run over: `Chunks` and `LabelChunks` are."""

    def total(self, step: Callable[[Any], _S], merge: Callable[[_S, _S], _S]) -> _S:
        """Make one pass."""
        ...


class ChunkedProblem(Problem):
    """The sum of the chunks' costs, and a penalty.

    Parameters
    ----------
    rows
        The chunks.
    problem_of
        Makes a problem without a penalty of what one chunk holds.
    penalty
        A smooth penalty on the weights, or None.
    shape
        The shape of the unknowns, the bias last.
    intercept
        Whether to fit a bias.
    """

    def __init__(
        self,
        rows: PassedOver,
        problem_of: Callable[..., LinearProblem],
        penalty: Penalty | None,
        shape: tuple[int, ...],
        *,
        intercept: bool,
    ) -> None:
        self.rows = rows
        self.problem_of = problem_of
        self.penalty = penalty
        self.shape = shape
        self.intercept = intercept
        self.size: int = int(np.prod(shape))

    def lacking(self) -> dict[Piece, str]:
        """Return the pieces that chunks do not give."""
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
        J, g = self.rows.total(partial(_first_order, self.problem_of, x), add)
        if self.penalty is not None:
            w = self._penalised(x)
            J += self.penalty.value(w)
            g[: w.size] += self.penalty.subgradient(w).reshape(-1)
        return J, g

    def second_order(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Return J(x), its gradient and its Hessian."""
        J, g, H = self.rows.total(partial(_second_order, self.problem_of, x), add)
        if self.penalty is not None:
            w = self._penalised(x)
            J += self.penalty.value(w)
            g[: w.size] += self.penalty.subgradient(w).reshape(-1)
            self.penalty.add_hessian(w, H)
        return J, g, H


def _first_order(
    problem_of: Callable[..., LinearProblem], x: Floats, rows: Iterable[Any]
) -> tuple[float, Floats]:
    J, g = 0.0, np.zeros(x.size)
    for chunk in rows:
        value, slope = problem_of(*chunk).value_and_gradient(x)
        J, g = J + value, g + slope
    return J, g


def _second_order(
    problem_of: Callable[..., LinearProblem], x: Floats, rows: Iterable[Any]
) -> tuple[float, Floats, Floats]:
    J, g, H = 0.0, np.zeros(x.size), np.zeros((x.size, x.size))
    for chunk in rows:
        value, slope, curved = problem_of(*chunk).second_order(x)
        J, g, H = J + value, g + slope, H + curved
    return J, g, H
