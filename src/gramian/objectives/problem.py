"""The interface between problems and solvers: a value, and the derivatives available.

A solver requires *pieces* by name; a problem that lacks one gives the reason. Solvers and problems
share nothing else.
"""

from abc import ABC, abstractmethod
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats

Piece: TypeAlias = Literal[
    "value",  # J(x)
    "subgradient",  # an element of dJ; the gradient where there is one
    "gradient",  # a continuous gradient
    "hessian",
    "rows",  # J is a sum over rows, with gradients of subsets of them
    "least squares",  # a Newton step is a weighted least-squares fit
    "prox",  # smooth part + penalty with a prox
    "quadratic",  # constant Hessian
    "linear program",  # piecewise linear
    "quadratic program",  # piecewise linear, with a quadratic penalty
    "dual",  # a dual with one bounded unknown per row
]


class Problem(ABC):
    """A function J of the unknowns x that is to be minimised."""

    size: int | None  # number of unknowns, None: any
    n_rows: int  # number of rows the cost is a sum over, 0 if it is not such a sum

    @abstractmethod
    def lacking(self) -> dict[Piece, str]:
        """Return the pieces that this problem lacks, each with the reason in words."""

    @abstractmethod
    def value(self, x: Floats) -> float:
        """Return J(x)."""

    @abstractmethod
    def value_and_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Return J(x) and a (sub)gradient there."""

    @abstractmethod
    def second_order(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Return J(x), its gradient and its Hessian."""

    def gradient(self, x: Floats) -> Floats:
        """Return a (sub)gradient at x."""
        return self.value_and_gradient(x)[1]

    def hessian(self, x: Floats) -> Floats:
        """Return the matrix of second derivatives at x."""
        return self.second_order(x)[2]

    def hessian_product(self, x: Floats, v: Floats) -> Floats:
        """Return the Hessian at x times v."""
        return self.hessian(x) @ v

    def rows_gradient(self, x: Floats, rows: npt.NDArray[np.intp]) -> Floats:
        """Return an estimate of a (sub)gradient from some of the rows."""
        raise NotImplementedError(f"{type(self).__name__} is not a sum over rows.")

    def hessian_diagonal(self, x: Floats) -> Floats | None:
        """Return the diagonal of the Hessian at x if it is cheap to compute, else None."""
        del x
        return None

    def lipschitz(self, x: Floats) -> float:
        """Return L, a bound of the Hessian's largest eigenvalue, over all points if known.

        Here it is that eigenvalue at x, a global bound only if the Hessian is constant.
        """
        return float(np.linalg.eigvalsh(self.hessian(x))[-1])

    def start(self, x: npt.ArrayLike | None = None) -> Floats:
        """Return the first iterate: a copy of x, or zeros."""
        if x is None:
            if self.size is None:
                raise DataError(
                    f"{type(self).__name__}: unknown number of variables; pass start or size."
                )
            return np.zeros(self.size)
        first = np.array(x, dtype=float).reshape(-1)
        if self.size is not None and len(first) != self.size:
            raise DataError(
                f"{type(self).__name__}: start must have {self.size} numbers; got {len(first)}."
            )
        if not np.isfinite(first).all():
            raise DataError(f"{type(self).__name__}: start must be finite numbers.")
        return first
