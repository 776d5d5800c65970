"""A linear problem whose rows come in chunks: every evaluation is one pass over all chunks."""

from collections.abc import Callable, Iterator

import numpy as np

from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.penalties import Penalty
from gramian.objectives.problem import Piece, Problem


class ChunkedProblem(Problem):
    """The sum of the chunks' costs, and a penalty.

    Parameters
    ----------
    chunks
        A function that starts a pass: it yields one problem without a penalty per chunk.
    penalty
        A smooth penalty on the weights, or None.
    shape
        The shape of the unknowns, the bias last.
    intercept
        Whether to fit a bias.
    """

    def __init__(
        self,
        chunks: Callable[[], Iterator[LinearProblem]],
        penalty: Penalty | None,
        shape: tuple[int, ...],
        *,
        intercept: bool,
    ) -> None:
        self.chunks = chunks
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
        return x.reshape(self.shape)[: self.shape[0] - self.intercept]

    def value(self, x: Floats) -> float:
        """Return J(x)."""
        return self.value_and_gradient(x)[0]

    def value_and_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Return J(x) and its gradient."""
        J, g = 0.0, np.zeros(self.size)
        for chunk in self.chunks():
            value, slope = chunk.value_and_gradient(x)
            J, g = J + value, g + slope
        if self.penalty is not None:
            w = self._penalised(x)
            J += self.penalty.value(w)
            g[: w.size] += self.penalty.subgradient(w).reshape(-1)
        return J, g

    def second_order(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Return J(x), its gradient and its Hessian."""
        J, g, H = 0.0, np.zeros(self.size), np.zeros((self.size, self.size))
        for chunk in self.chunks():
            value, slope, curved = chunk.second_order(x)
            J, g, H = J + value, g + slope, H + curved
        if self.penalty is not None:
            w = self._penalised(x)
            J += self.penalty.value(w)
            g[: w.size] += self.penalty.subgradient(w).reshape(-1)
            self.penalty.add_hessian(w, H)
        return J, g, H
