"""A user-defined function as a problem."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.objectives.derivatives import numeric_gradient, numeric_hessian
from gramian.objectives.problem import Piece, Problem


class Function(Problem):
    """Any function of a vector, with its derivatives if available.

    Missing derivatives are computed by finite differences (`numeric_gradient`, `numeric_hessian`).

    Parameters
    ----------
    f
        The function: a vector in, a number out.
    gradient
        Its gradient; for a nonsmooth function, a subgradient.
    hessian
        Its matrix of second derivatives.
    size
        The number of unknowns; not needed if every call passes a starting point.
    smooth
        Whether the gradient is continuous. Set False for a nonsmooth function, so that solvers that
        would fail on it raise an error.
    rows_gradient
        For a function that is a sum or mean over rows: ``rows_gradient(x, rows)`` estimates the
        gradient of f from some of the rows.
    n_rows
        The number of rows, with `rows_gradient`.

    Examples
    --------
    >>> bowl = Function(lambda x: x[0] ** 2 + 3 * x[1] ** 2)
    >>> bowl.gradient(np.array([1.0, 1.0])).round(6)
    array([2., 6.])
    """

    def __init__(
        self,
        f: Callable[[Any], Any],
        gradient: Callable[[Any], Any] | None = None,
        hessian: Callable[[Any], Any] | None = None,
        *,
        size: int | None = None,
        smooth: bool = True,
        rows_gradient: Callable[[Any, Any], Any] | None = None,
        n_rows: int = 0,
    ) -> None:
        if not callable(f):
            raise TypeError(f"Function: f must be a function of a vector; got {f!r}.")
        if (rows_gradient is not None) != (n_rows > 0):
            raise DataError(
                "Function: rows_gradient and n_rows must be passed together; pass both or neither."
            )
        self.f = f
        self.size = size
        self.smooth = smooth
        self.n_rows = n_rows
        self._gradient = gradient
        self._hessian = hessian
        self._rows_gradient = rows_gradient

    def lacking(self) -> dict[Piece, str]:
        """Return the pieces that a plain function lacks."""
        missing: dict[Piece, str] = {
            "least squares": "a plain function is not a sum of losses",
            "prox": "a plain function has no separate penalty",
            "quadratic": "a plain function is not known to be quadratic",
            "linear program": "a plain function is not known to be piecewise linear",
            "quadratic program": "a plain function is not known to be piecewise linear",
            "dual": "a plain function is not a sum of losses",
        }
        if self._rows_gradient is None:
            missing["rows"] = "no rows_gradient was given"
        if not self.smooth:
            missing["gradient"] = missing["hessian"] = "the function was declared non-smooth"
        return missing

    def value(self, x: Floats) -> float:
        """Return f(x)."""
        value = np.asarray(self.f(x), dtype=float)
        if value.size != 1:
            raise DataError(
                f"Function: f must return one number; got an array of shape {value.shape}."
            )
        return float(value.reshape(()))

    def gradient(self, x: Floats) -> Floats:
        """Return the given gradient, or finite differences."""
        if self._gradient is None:
            return numeric_gradient(self.value, x)
        return _shaped("gradient", self._gradient(x), x.shape)

    def value_and_gradient(self, x: Floats) -> tuple[float, Floats]:
        """Return value and gradient."""
        return self.value(x), self.gradient(x)

    def hessian(self, x: Floats) -> Floats:
        """Return the given Hessian, or finite differences of the gradient or of f."""
        if self._hessian is not None:
            return _shaped("hessian", self._hessian(x), (x.size, x.size))
        return numeric_hessian(self.value, x, self._gradient)

    def second_order(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Return value, gradient and Hessian."""
        return self.value(x), self.gradient(x), self.hessian(x)

    def rows_gradient(self, x: Floats, rows: npt.NDArray[np.intp]) -> Floats:
        """Return the gradient estimated from some rows."""
        assert self._rows_gradient is not None, "lacking() says that there are no rows"
        return _shaped("rows_gradient", self._rows_gradient(x, rows), x.shape)


def as_problem(f: Problem | Callable[[Any], Any]) -> Problem:
    """Return a problem unchanged, and any other function as a `Function`."""
    return f if isinstance(f, Problem) else Function(f)


def _shaped(name: str, value: Any, shape: tuple[int, ...]) -> Floats:
    array = np.asarray(value, dtype=float)
    if array.size != np.prod(shape):
        raise DataError(f"Function: {name} must have shape {shape}; got {array.shape}.")
    return array.reshape(shape)
