"""User-defined kernels: a function, a feature map, or a precomputed matrix."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Data, Floats, Matrix, is_sparse
from gramian.kernels.inner_products import products
from gramian.kernels.kernel import Kernel, Tile, shared_type


@dataclass(frozen=True)
class FunctionKernel(Kernel):
    """A kernel defined by a function; it cannot be saved in a model file.

    Parameters
    ----------
    function
        With arguments="rows", f(x, z) takes two rows (1-dimensional arrays) and returns a number,
        as in `sklearn.kernel_ridge`; with arguments="tables", f(X, Y) takes two tables and returns
        the matrix, as in `sklearn.svm`, which is much faster.
    arguments
        Arguments of the function: "rows" or "tables".
    parameters
        Keyword arguments of the function.

    Examples
    --------
    >>> nearest = FunctionKernel(lambda x, z: float(min(x[0], z[0])))
    >>> nearest([[1.0], [2.0]])
    array([[1., 1.],
           [1., 2.]])
    """

    function: Callable[..., Any]
    arguments: Literal["rows", "tables"] = "rows"
    parameters: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ParameterError(
                f"FunctionKernel: function must be a function; got {self.function!r}."
            )
        if self.arguments not in ("rows", "tables"):
            raise ParameterError(
                f"FunctionKernel: arguments must be 'rows' or 'tables'; got {self.arguments!r}."
            )

    def _against(self, Y: Data) -> Tile:
        return lambda rows, columns: self._checked(rows, Y[columns])

    def _checked(self, rows: Data, right: Data) -> Matrix:
        shape = (rows.shape[0], right.shape[0])
        if self.arguments == "rows":
            values: Any = _call_on_row_pairs(self.function, self.parameters, rows, right)
        else:
            values = self.function(rows, right, **self.parameters)
            values = values.toarray() if is_sparse(values) else np.asarray(values)
        if values.shape != shape:
            raise DataError(
                f"FunctionKernel: the function must return a matrix of shape {shape}; got shape "
                f"{values.shape}. A function of two rows needs arguments='rows'."
            )
        if not np.isfinite(values).all():
            at = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
            raise DataError(
                f"FunctionKernel: the function returned {values[at]} (NaN or infinity) for the "
                f"pair {at} of a tile; return finite numbers."
            )
        return np.array(values, dtype=shared_type(rows, right), order="C")

    def _diagonal(self, X: Data) -> Floats:
        one_row = (slice(i, i + 1) for i in range(X.shape[0]))
        return np.array([float(self._checked(X[i], X[i])[0, 0]) for i in one_row])


def _call_on_row_pairs(
    function: Callable[..., Any], parameters: dict[str, Any], rows: Data, right: Data
) -> Floats:
    left, right = _to_dense(rows), _to_dense(right)
    values = np.empty((len(left), len(right)))
    for i, x in enumerate(left):
        for j, z in enumerate(right):
            try:
                values[i, j] = function(x, z, **parameters)
            except (TypeError, ValueError) as error:
                raise DataError(
                    f"FunctionKernel: the function failed on two rows of {len(x)} values "
                    f"({error}); it must return one number. A function of two tables needs "
                    "arguments='tables'."
                ) from error
    return values


def _to_dense(X: Data) -> Matrix:
    return np.asarray(X.toarray() if is_sparse(X) else X)


@dataclass(frozen=True)
class FeatureKernel(Kernel):
    """The kernel k(x, z) = phi(x) . phi(z) of a feature map.

    Parameters
    ----------
    features
        Function from a table (n, d) to features (n, D), such as the `transform` of a fitted
        transformer.

    Examples
    --------
    >>> quadratic = FeatureKernel(lambda X: np.hstack([X, X**2]))
    >>> quadratic([[1.0], [2.0]])
    array([[ 2.,  6.],
           [ 6., 20.]])
    """

    features: Callable[[Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.features):
            raise ParameterError(
                f"FeatureKernel: features must be a function; got {self.features!r}."
            )

    def _against(self, Y: Data) -> Tile:
        right = self._map_rows(Y)
        return lambda rows, columns: products(self._map_rows(rows), right[columns])

    def _map_rows(self, X: Data) -> Data:
        phi = self.features(X)
        phi = sp.csr_array(phi) if is_sparse(phi) else np.asarray(phi)
        if phi.ndim != 2 or phi.shape[0] != X.shape[0]:
            raise DataError(
                f"FeatureKernel: features must return one row per row of X ({X.shape[0]}); "
                f"got shape {phi.shape}."
            )
        if not np.isfinite(phi.data if is_sparse(phi) else phi).all():
            raise DataError(
                "FeatureKernel: features returned NaN or infinity; return finite numbers."
            )
        return phi.astype(X.dtype, copy=False)

    def _diagonal(self, X: Data) -> Floats:
        phi = _to_dense(self._map_rows(X)).astype(np.float64, copy=False)
        return np.asarray(np.einsum("ij,ij->i", phi, phi))


@dataclass(frozen=True)
class Precomputed(Kernel):
    """A precomputed kernel: the table is the kernel matrix, k(x_i, x_j) at row i and column j.

    In `fit` it is square; in `predict` it has a row per new row and a column per training row.

    Examples
    --------
    >>> Precomputed()([[2.0, 1.0], [1.0, 2.0]])
    array([[2., 1.],
           [1., 2.]])
    """

    record_name: ClassVar[str] = "precomputed_kernel"

    takes_rows: ClassVar[bool] = False

    def _against(self, Y: Data) -> Tile:
        return lambda rows, columns: np.array(_to_dense(rows[:, columns]), order="C")

    def _diagonal(self, X: Data) -> Floats:
        return np.asarray(X.diagonal(), dtype=np.float64)
