"""Validation of arrays, in the first line of a public method; nothing below it checks again.

scikit-learn's ``validate_data`` does the conversions (frames, lists, sparse matrices, feature
names); the values are checked by one threaded native pass; every message names the estimator,
what it found and what to do.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from narwhals.exceptions import DuplicateError
from sklearn.utils.validation import check_is_fitted, validate_data

from gramian import _native
from gramian.base.conversions import check_positions, refuse_masked, refuse_times, translated
from gramian.base.errors import DataError
from gramian.base.fields import check_params
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Matrix, Table, is_sparse

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST = 1e152  # numbers whose squares can be added up
_SQUARED = 1e150  # a number whose square is far from overflow
_FLOATS = (np.float64, np.float32)


def check_fit(
    estimator: Estimator,
    X: Table,
    *,
    rows: int = 1,
    any_order: bool = False,
    values: bool = True,
) -> Data:
    """Check parameters and training data; remember the number and names of the columns.

    Returns a C-contiguous float array, or a canonical CSR array where the estimator takes one.
    float32 stays float32; every other type of number becomes float64. With `any_order` an array
    in Fortran order, or CSC, stays so, for methods that read columns. Without `values` those of an
    array are not checked, for methods whose own pass over them shows whether to call
    `check_values`.
    """
    check_params(estimator)
    table = _check_table(estimator, X, reset=True, any_order=any_order, values=values)
    check_rows(estimator, table.shape[0], rows)
    return table


def check_new(
    estimator: Estimator, X: Table, *, dtype: npt.DTypeLike | None = None, values: bool = True
) -> Data:
    """Check data given to a fitted estimator: the same columns as in fit.

    With `dtype`, the array is returned in that type, so that new data and fitted arrays have
    one type. `values` is that of `check_fit`.
    """
    if "n_features_in_" not in vars(estimator) or hasattr(estimator, "__sklearn_is_fitted__"):
        check_is_fitted(estimator)  # slower than the prediction of one row
    return _check_table(estimator, X, reset=False, dtype=dtype, values=values)


def check_values(estimator: Estimator, table: Data) -> None:
    """Raise if a table that was accepted with ``values=False`` contains infinity or NaN."""
    if not sp.issparse(table):
        check_finite(type(estimator).__name__, "X", table, nan=estimator.takes_nan)


def check_chunk(
    estimator: Estimator,
    X: Table,
    *,
    first: bool,
    dtype: npt.DTypeLike | None = None,
    sparse: bool | None = None,
    values: bool = True,
) -> Data:
    """Check one chunk of training data; the first one fixes columns, float type and sparsity.

    `dtype` and `sparse` describe the first chunk; they are None for the first chunk itself.
    Integers, lists and frames are converted to the first chunk's type; another float type is an
    error, because it would silently lose digits.
    `values` is whether to look for infinity and NaN.
    """
    name = type(estimator).__name__
    if first:
        check_params(estimator)
    if sparse is not None and sp.issparse(X) != sparse:
        kinds = ("sparse", "dense") if sp.issparse(X) else ("dense", "sparse")
        raise DataError(
            f"{name}: a chunk is {kinds[0]} but the first one is {kinds[1]}; pass chunks of one "
            "kind."
        )
    chunk_dtype = _native_order(getattr(X, "dtype", None))
    if dtype is not None and chunk_dtype in _FLOATS and chunk_dtype != dtype:
        raise DataError(
            f"{name}: a chunk is {chunk_dtype} but the first one is {np.dtype(dtype)}; pass chunks "
            "of one float type."
        )
    return _check_table(estimator, X, reset=first, dtype=dtype, values=values)


def check_stored(estimator: Estimator, name: str, table: Data, columns: int) -> None:
    """Raise unless an attribute is a checked table with this number of columns."""
    sparse = estimator.takes_sparse and isinstance(table, sp.csr_array)
    dense = type(table) is np.ndarray and table.ndim == 2 and table.flags.c_contiguous
    owner = type(estimator).__name__
    if not (sparse or dense) or table.dtype not in _FLOATS:
        raise DataError(f"{owner}: {name} must be a table of floats; got {type(table).__name__}.")
    if not table.shape[0] >= 1 or table.shape[1] != columns:
        raise DataError(
            f"{owner}: {name} must have at least one row, and {columns} columns; "
            f"got shape {table.shape}."
        )
    if is_sparse(table):
        check_finite_sparse(owner, table, nan=False)
    else:
        check_finite(owner, name, table)


def check_rows(estimator: Estimator, n_samples: int, wanted: int, parameter: str = "") -> None:
    """Raise unless there are at least `wanted` rows; `parameter` is what requires them."""
    if n_samples >= wanted:
        return
    name = type(estimator).__name__
    if parameter:
        raise DataError(
            f"{name}: n_samples={n_samples} should be >= {parameter}={wanted}; "
            f"lower {parameter} or pass more rows."
        )
    raise DataError(
        f"{name}: X has n_samples={n_samples} while a minimum of {wanted} is required; "
        "pass more rows."
    )


def check_size(estimator: Estimator, array: str, values: Any, most: float = LARGEST) -> None:
    """Raise if an array contains numbers too large for a method that adds up their squares."""
    if values is None or values.dtype == np.float32:  # squares far below the limit
        return
    numbers = values.data if sp.issparse(values) else values
    flat = numbers.ravel(order="K")
    # One fast pass, enough for most tables; not by BLAS, whose threads would wake and spin.
    if np.einsum("i,i->", flat, flat) <= min(most, _SQUARED) ** 2:
        return
    size = 0.0
    if numbers.size:  # missing values are ignored
        size = float(max(np.fmax.reduce(numbers, axis=None), -np.fmin.reduce(numbers, axis=None)))
    if size > most:
        remedy = {
            "X": "Scale the columns, see sklearn.preprocessing.StandardScaler.",
            "y": "Divide y by a constant, and multiply predictions by it.",
        }.get(array, f"Divide {array} by a constant.")
        raise DataError(
            f"{type(estimator).__name__}: {array} must contain numbers of size {most:g} at most, "
            f"so that sums of squares stay finite; got {size:.3g}. {remedy}"
        )


def check_finite(owner: str, array: str, values: Matrix, *, nan: bool = False) -> None:
    """Raise if an array contains infinity, or NaN unless it is allowed."""
    if _native.all_finite(values.ravel(order="K")):  # in memory order, without a copy
        return
    bad = np.isinf(values) if nan else ~np.isfinite(values)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        place = ", ".join(f"{axis} {i}" for axis, i in zip(("row", "column"), first, strict=False))
        raise _not_finite(owner, array, values[first], place, int(bad.sum()))


def check_finite_sparse(owner: str, X: sp.csr_array | sp.csc_array, *, nan: bool) -> None:
    """Raise if a sparse table stores infinity, or NaN unless it is allowed."""
    if _native.all_finite(X.data):
        return
    bad = np.isinf(X.data) if nan else ~np.isfinite(X.data)
    if bad.any():
        at = int(np.argmax(bad))
        row, column = int(np.searchsorted(X.indptr, at, side="right")) - 1, int(X.indices[at])
        if X.format == "csc":
            row, column = column, row
        place = f"row {row}, column {column}"
        raise _not_finite(owner, "X", X.data[at], place, int(bad.sum()))


def _not_finite(owner: str, array: str, value: Any, place: str, count: int) -> DataError:
    more = f", and {count - 1} more" if count > 1 else ""
    if np.isnan(value):
        what, remedy = "NaN", "impute first, see sklearn.impute"
    else:
        what, remedy = "inf (infinity, or a value too large for its type)", "replace or clip it"
    return DataError(f"{owner}: Input {array} contains {what} ({place}{more}); {remedy}.")


def frame_of(owner: str, X: Any) -> Any:
    """Convert a frame or series to narwhals; return anything else unchanged.

    Examples
    --------
    >>> import pandas as pd
    >>> frame_of("Ridge", pd.DataFrame({"width": [1.0, 2.0]})).columns
    ['width']
    >>> frame_of("Ridge", [[1.0], [2.0]])
    [[1.0], [2.0]]
    """
    try:
        return nw.from_native(X, eager_only=True, allow_series=True, pass_through=True)
    except DuplicateError:
        names = [str(name) for name in getattr(X, "column_names", X.columns)]  # pyarrow has both
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(
            f"{owner}: X must have columns of different names; got {names.count(twice)} named "
            f"{twice!r}. Rename them."
        ) from None


def is_float32(values: npt.ArrayLike) -> bool:
    """Return whether an array, series or all columns of a frame are float32, in any byte order."""
    dtype = getattr(values, "dtype", None)
    if isinstance(dtype, np.dtype):
        return bool(_native_order(dtype) == np.float32)
    table = nw.from_native(values, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(table, nw.Series):
        return bool(table.dtype == nw.Float32)
    types = table.schema.dtypes() if isinstance(table, nw.DataFrame) else []
    return len(types) > 0 and all(kind == nw.Float32 for kind in types)


def _float_type(X: Table) -> Any:
    """Return the float type of the checked table: float32 if the table is float32, else float64."""
    return np.float32 if is_float32(X) else np.float64


def _native_order(dtype: npt.DTypeLike | None) -> Any:
    return dtype.newbyteorder("=") if isinstance(dtype, np.dtype) else dtype


def _check_table(
    estimator: Estimator,
    X: Any,
    *,
    reset: bool,
    dtype: Any = None,
    any_order: bool = False,
    values: bool = True,
) -> Data:
    name = type(estimator).__name__
    formats = ["csr", "csc"] if any_order else ["csr"]
    if isinstance(X, np.ndarray) and not (X.dtype.isnative and X.flags.aligned):
        X = np.require(X, _native_order(X.dtype), "A")
    plain = type(X) is np.ndarray and X.ndim == 2 and X.dtype in _FLOATS and X.size > 0
    if plain:  # the common case needs none of scikit-learn's slower conversions
        if reset:
            estimator.n_features_in_ = X.shape[1]
            estimator.__dict__.pop("feature_names_in_", None)  # of an earlier fit
            table = X
        elif _has_columns(estimator, X):
            table = X
        else:
            check_columns = lambda: validate_data(estimator, X, reset=False, skip_check_array=True)  # noqa: E731
            table = translated(name, "X", check_columns)
        if not (any_order and dtype is None and table.flags.f_contiguous):
            table = np.ascontiguousarray(table, dtype=dtype)
        table = np.require(table, requirements="A")
    else:
        frame_of(name, X)  # raises unless the names differ
        refuse_masked(name, "X", X)
        refuse_times(name, "X", X)
        if sp.issparse(X) and X.format not in formats:  # SciPy converts other formats
            check_positions(name, "X", X)
        table = translated(
            name,
            "X",
            lambda: validate_data(
                estimator,
                X,
                reset=reset,
                accept_sparse=formats if estimator.takes_sparse else False,
                dtype=_float_type(X) if dtype is None else dtype,
                order="C",
                ensure_all_finite=False,
            ),
            X,
        )
        if not sp.issparse(table):
            table = np.require(table, requirements="A")
    if sp.issparse(table):
        kind: Callable[..., sp.csr_array | sp.csc_array] = sp.csr_array
        if table.format == "csc":
            kind = sp.csc_array
        table = translated(name, "X", partial(kind, table))
        table.data, table.indices, table.indptr = (
            np.require(a, requirements="A") for a in (table.data, table.indices, table.indptr)
        )
        if _is_in_order(table):
            table.has_canonical_format = True
        else:
            translated(name, "X", partial(table.check_format, full_check=True))
        if not table.has_canonical_format:  # sorted, unique columns
            table = table.copy()
            table.sum_duplicates()
        table = _without_zeros(estimator, table)
        check_finite_sparse(name, table, nan=estimator.takes_nan)
    elif estimator.takes_infinity:
        table = within_range(table)
    elif values:
        check_values(estimator, table)
    return table


def _has_columns(estimator: Estimator, X: Matrix) -> bool:
    """Return whether an array has as many columns as in fit, if fit saw no names."""
    named = getattr(estimator, "feature_names_in_", None) is not None
    return not named and getattr(estimator, "n_features_in_", None) == X.shape[1]


def within_range(values: Matrix) -> Matrix:
    """Return an array with infinity replaced by the largest number of its type; NaN stays.

    Examples
    --------
    >>> within_range(np.array([[1.0, -np.inf]], dtype=np.float32))
    array([[ 1.0000000e+00, -3.4028235e+38]], dtype=float32)
    """
    if _native.all_finite(values.ravel(order="K")):
        return values
    limits = np.finfo(values.dtype)
    return np.clip(values, limits.min, limits.max)


def _without_zeros(
    estimator: Estimator, X: sp.csr_array | sp.csc_array
) -> sp.csr_array | sp.csc_array:
    """Return the table without stored zeros, so that they cannot change the order of summation.

    Where the rows are given by distances, a stored 0 is one and an absent one is not.
    """
    if np.count_nonzero(X.data) == len(X.data):
        return X
    if estimator.__sklearn_tags__().input_tags.pairwise:
        return X
    X = X.copy()  # the caller's matrix stays unchanged
    X.eliminate_zeros()
    return X


def _is_in_order(X: sp.csr_array | sp.csc_array) -> bool:
    """Return True if one native pass finds indices in range, sorted and without duplicates.

    False decides nothing: SciPy's two slower checks then run.
    """
    arrays = X.indices, X.indptr
    if X.indices.dtype != X.indptr.dtype or len(X.indices) != len(X.data):
        return False
    if not all(a.dtype in (np.int32, np.int64) and a.flags.c_contiguous for a in arrays):
        return False
    across = X.shape[1] if X.format == "csr" else X.shape[0]
    return _native.csr_in_order(*arrays, across)


def numbers_of(name: str, values: Any) -> npt.NDArray[np.float64]:
    """Return a parameter's numbers as an array of one dimension; anything else is a TypeError."""
    try:
        array = np.asarray(values).reshape(-1)
    except ValueError:
        raise TypeError(f"{name} must be a sequence of numbers; got {values!r}.") from None
    if array.dtype.kind not in "biuf":
        kinds = (type(value).__name__ for value in values)
        wrong = next((i, k) for i, k in enumerate(kinds) if k not in ("int", "float"))
        raise TypeError(f"{name}[{wrong[0]}] must be an instance of float, not {wrong[1]}.")
    return array.astype(np.float64)
