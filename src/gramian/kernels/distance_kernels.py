"""Kernels that decrease with the distance between rows: Gaussian and Laplacian."""

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import manhattan_distances

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.base.types import Data, Floats, Matrix
from gramian.kernels.inner_products import products, squared_norms
from gramian.kernels.kernel import Kernel, Tile, check_number, shared_type

# Largest error of the exponent; beyond it a tile is computed with more digits.
_MAX_EXPONENT_ERROR = {np.dtype(np.float32): 1e-5, np.dtype(np.float64): 1e-9}


@dataclass(frozen=True)
class RBF(Kernel):
    """The Gaussian kernel k(x, z) = exp(-gamma |x - z|^2).

    Textbooks write exp(-|x - z|^2 / (2 s^2)), or omit the 2: `RBF.from_length_scale` takes s. For a
    constant factor, such as that of the normal density, write ``0.4 * RBF()``. Squared distances
    come from a matrix product, |x|^2 + |z|^2 - 2 x . z with centred rows, and are computed with
    more digits where rounding could change k by more than about 1e-9 (1e-5 for float32). CSR rows
    are not centred, because they would become dense: in float64 their error is about 1e-16 gamma
    |x|^2.

    Parameters
    ----------
    gamma
        The rate > 0; 1 / (2 s^2) for the length scale s.

    Examples
    --------
    >>> RBF(0.5)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    >>> RBF.from_length_scale(1.0) == RBF(0.5)
    True
    """

    record_name: ClassVar[str] = "rbf_kernel"

    parallel_tiles: ClassVar[bool] = True

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma", low=0.0, open_low=True)

    @classmethod
    def from_length_scale(cls, length_scale: float, *, halved: bool = True) -> Self:
        """Return the kernel exp(-|x - z|^2 / (2 s^2)); with halved=False, exp(-|x - z|^2 / s^2).

        Parameters
        ----------
        length_scale
            The length scale s > 0, also written sigma.
        halved
            Whether there is a 2 before s^2.

        Examples
        --------
        >>> RBF.from_length_scale(2.0, halved=False)
        RBF(gamma=0.25)
        """
        if not (isinstance(length_scale, Real) and 0 < length_scale < np.inf):
            raise ParameterError(
                f"RBF: length_scale must be a number > 0, and finite; got {length_scale!r}."
            )
        return cls(1.0 / ((2.0 if halved else 1.0) * float(length_scale) ** 2))

    @property
    def length_scale(self) -> float:
        """The length scale s of exp(-|x - z|^2 / (2 s^2))."""
        return float(1.0 / np.sqrt(2.0 * self.gamma))

    def _against(self, Y: Data) -> Tile:
        shift = None if sp.issparse(Y) else Y.mean(axis=0, dtype=np.float64).astype(Y.dtype)
        moved = Y if shift is None else Y - shift
        norms = squared_norms(moved)

        def tile(rows: Data, columns: slice) -> Matrix:
            dtype = shared_type(rows, Y)
            left: Data
            if shift is not None and sp.issparse(rows):
                left, right, right_norms = rows, Y[columns], squared_norms(Y[columns])
            else:
                left = rows if shift is None else rows - shift
                right, right_norms = moved[columns], norms[columns]
            left_norms = squared_norms(left)
            size = self.gamma * float(left_norms.max(initial=0.0) + right_norms.max(initial=0.0))
            if size * np.finfo(dtype).eps > _MAX_EXPONENT_ERROR[dtype]:
                values = self._double_tile(rows, Y[columns], size)
                return values.astype(dtype, copy=False)
            out = products(left, right).astype(dtype, copy=False)
            row_terms, column_terms = (
                (self.gamma * s).astype(dtype) for s in (left_norms, right_norms)
            )
            _native.gaussian_values(out, row_terms, column_terms, 2.0 * self.gamma)
            return out

        return tile

    def _double_tile(self, rows: Data, Y: Data, size: float) -> Matrix:
        """Compute a tile in float64, by differences if products would still lose digits."""
        if sp.issparse(rows) or sp.issparse(Y):
            left, right = rows.astype(np.float64), Y.astype(np.float64)
            squares = products(left, right)
            squares *= -2.0
            squares += squared_norms(left)[:, None]
            squares += squared_norms(right)
            np.maximum(squares, 0.0, out=squares)
            squares *= -self.gamma
            return np.exp(squares, out=squares)
        double = np.dtype(np.float64)
        if size * np.finfo(double).eps <= _MAX_EXPONENT_ERROR[double]:
            return self.against(Y.astype(double))(rows.astype(double), slice(None))
        squares = np.asarray(cdist(rows, Y, "sqeuclidean"))
        squares *= -self.gamma
        np.exp(squares, out=squares)
        return squares

    def _diagonal(self, X: Data) -> Floats:
        return np.ones(X.shape[0])


@dataclass(frozen=True)
class Laplacian(Kernel):
    """The Laplacian kernel k(x, z) = exp(-gamma sum_t |x_t - z_t|).

    Parameters
    ----------
    gamma
        The rate > 0.

    Examples
    --------
    >>> Laplacian(0.5)([[0.0, 0.0]], [[1.0, -1.0]]).round(4)
    array([[0.3679]])
    """

    record_name: ClassVar[str] = "laplacian_kernel"

    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_number(self, "gamma", low=0.0, open_low=True)

    def _against(self, Y: Data) -> Tile:
        def tile(rows: Data, columns: slice) -> Matrix:
            right, dtype = Y[columns], shared_type(rows, Y)
            if sp.issparse(rows) or sp.issparse(right):
                distances = manhattan_distances(
                    _with_int32_indices(rows), _with_int32_indices(right)
                )
            else:
                distances = cdist(rows, right, "cityblock")
            distances *= -self.gamma
            return np.asarray(np.exp(distances, out=distances), dtype=dtype)

        return tile

    def _diagonal(self, X: Data) -> Floats:
        return np.ones(X.shape[0])


def _with_int32_indices(X: Data) -> sp.csr_array:
    """Return CSR with 32-bit indices, as scikit-learn's function requires."""
    table = sp.csr_array(X)
    positions = table.indices.astype(np.int32), table.indptr.astype(np.int32)
    return sp.csr_array((table.data, *positions), shape=table.shape)
