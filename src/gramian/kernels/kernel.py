"""The base class of kernels, and sums, products and constants."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from numbers import Real
from operator import iadd, imul
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.fields import Interval
from gramian.base.types import Data, Floats, Matrix

# Maps checked rows and a slice of columns to a new matrix k(rows, Y[columns]).
Tile: TypeAlias = Callable[[Data, slice], Matrix]

ALL_COLUMNS: Final = slice(None)  # all columns of a tile


class Kernel(ABC):
    """A function k(x, z) of two rows; a valid kernel is an inner product of features.

    Kernels are immutable, compare equal if their parameters are equal, can be parameters of
    estimators, and are stored in model files. ``k + l``, ``k * l`` and ``2.0 * k`` are kernels.
    Calling a kernel with two tables returns the matrix, with two rows a number, so that
    scikit-learn's estimators accept it as a function of either kind.
    """

    takes_rows: ClassVar[bool] = True  # False for a precomputed kernel
    parallel_tiles: ClassVar[bool] = False  # whether several threads compute tiles faster

    def against(self, Y: Data) -> Tile:
        """Prepare the second argument; return a function that computes tiles of k(X, Y).

        Parameters
        ----------
        Y : array or CSR of shape (m, d)
            Checked rows.

        Returns
        -------
        tile : function
            ``tile(rows, columns)`` is a new array, k(rows, Y[columns]), float32 if both are.
        """
        return self._against(Y)

    def diagonal(self, X: Data) -> Floats:
        """Return k(x, x) for each checked row, without computing the matrix."""
        return self._diagonal(X)

    @abstractmethod
    def _against(self, Y: Data) -> Tile: ...

    @abstractmethod
    def _diagonal(self, X: Data) -> Floats: ...

    def __call__(self, X: Any, Y: Any = None) -> Any:
        """Return the matrix k(x_i, y_j), see `kernel_matrix`; for two rows, the number k(x, y)."""
        from gramian.kernels.matrix import kernel_matrix

        if np.ndim(X) == 1 and np.ndim(Y) == 1:
            return float(kernel_matrix([X], [Y], self)[0, 0])
        return kernel_matrix(X, Y, self)

    def __add__(self, other: Any) -> "Kernel":
        return _combine(Sum, self, other)

    def __radd__(self, other: Any) -> "Kernel":
        return _combine(Sum, other, self)

    def __mul__(self, other: Any) -> "Kernel":
        return _combine(Product, self, other)

    def __rmul__(self, other: Any) -> "Kernel":
        return _combine(Product, other, self)


@dataclass(frozen=True)
class Constant(Kernel):
    """The kernel k(x, z) = c: an intercept in a sum, a factor in a product.

    Parameters
    ----------
    value
        The number c >= 0.

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> (Linear() + 1.0)([[2.0], [3.0]])
    array([[ 5.,  7.],
           [ 7., 10.]])
    """

    record_name: ClassVar[str] = "constant_kernel"

    value: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "value", low=0.0)

    def _against(self, Y: Data) -> Tile:
        def tile(rows: Data, columns: slice) -> Matrix:
            width = len(range(*columns.indices(Y.shape[0])))
            return np.full((rows.shape[0], width), self.value, dtype=shared_type(rows, Y))

        return tile

    def _diagonal(self, X: Data) -> Floats:
        return np.full(X.shape[0], float(self.value))


@dataclass(frozen=True)
class KernelPair(Kernel):
    """Two kernels whose values are combined.

    Parameters
    ----------
    left, right
        The kernels k and l.
    """

    left: Kernel
    right: Kernel

    combine: ClassVar[Callable[[Any, Any], Any]]  # combines two arrays in place of the first

    def __post_init__(self) -> None:
        _check_kernels(self)

    def _against(self, Y: Data) -> Tile:
        left, right = self.left.against(Y), self.right.against(Y)

        def tile(rows: Data, columns: slice) -> Matrix:
            values: Matrix = type(self).combine(left(rows, columns), right(rows, columns))
            return values

        return tile

    def _diagonal(self, X: Data) -> Floats:
        left = np.array(self.left.diagonal(X))
        return np.asarray(type(self).combine(left, self.right.diagonal(X)))


@dataclass(frozen=True)
class Sum(KernelPair):
    """The kernel k(x, z) + l(x, z), whose features are those of both kernels.

    Parameters
    ----------
    left, right
        The kernels k and l.
    """

    record_name: ClassVar[str] = "sum_kernel"

    combine = iadd


@dataclass(frozen=True)
class Product(KernelPair):
    """The kernel k(x, z) l(x, z), whose features are all products of features of both kernels.

    Parameters
    ----------
    left, right
        The kernels k and l.
    """

    record_name: ClassVar[str] = "product_kernel"

    combine = imul


def _combine(kind: Callable[[Kernel, Kernel], Kernel], left: Any, right: Any) -> Kernel:
    parts = [Constant(float(p)) if _is_number(p) else p for p in (left, right)]
    if not all(isinstance(p, Kernel) for p in parts):
        return NotImplemented  # type: ignore[no-any-return]
    return kind(*parts)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _check_kernels(kernel: Any) -> None:
    owner = type(kernel).__name__
    for field in fields(kernel):
        part = getattr(kernel, field.name)
        if not isinstance(part, Kernel):
            raise ParameterError(f"{owner}: {field.name} must be a kernel; got {part!r}.")
        if not part.takes_rows:
            raise ParameterError(
                f"{owner}: a precomputed kernel cannot be combined with others; combine the "
                "matrices and use Precomputed() for the result."
            )


def check_number(
    kernel: Any, name: str, *, low: float | None = None, open_low: bool = False
) -> None:
    """Raise ParameterError unless a field of a kernel is a finite number in this range."""
    value = getattr(kernel, name)
    rule = Interval(Real, low, None, open_low=open_low)
    if not rule.accepts(value) or not np.isfinite(value):
        raise ParameterError(
            f"{type(kernel).__name__}: {name} must be {rule}, and finite; got {value!r}."
        )


def shared_type(X: Data, Y: Data) -> Any:
    """Return float32 if both tables are float32, else float64."""
    return np.result_type(X.dtype, Y.dtype)
