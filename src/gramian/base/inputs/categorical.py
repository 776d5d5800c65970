"""Validation of categorical columns: categories become codes, numeric columns are unchanged.

Categories have no order; a code only identifies the level. The learned levels are one
list with an entry per column, None for a column of numbers and an array of the levels otherwise:
plain data, which a model file can store. In the returned matrix a category is its code
0, 1, ..., k - 1, a missing value is NaN, and a level not seen in fit is k.
"""

from collections.abc import Callable, Sequence
from itertools import repeat
from numbers import Real
from operator import is_
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted, validate_data

from gramian.base.conversions import translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import check_params
from gramian.base.inputs.gate import (
    check_finite,
    check_fit,
    check_new,
    check_rows,
    frame_of,
    within_range,
)
from gramian.base.kinds import Estimator
from gramian.base.types import Matrix, Table

Levels: TypeAlias = npt.NDArray[Any]  # strings or numbers, sorted and unique
Categories: TypeAlias = list[Levels | None]  # one entry per column; None: numbers

_CATEGORICAL = ("String", "Categorical", "Enum")  # types of a frame's column that are categorical
_LISTED = ("Categorical", "Enum")  # and those that list their levels


def check_fit_columns(
    estimator: Estimator,
    X: Table,
    categorical_features: Any = "from_dtype",
    *,
    rows: int = 1,
    declared: bool = False,
) -> tuple[Any, Categories]:
    """Check parameters and training data that may contain categories.

    Parameters
    ----------
    estimator
        The estimator being fitted.
    X
        A frame, an array (also of objects) or, without categories, a CSR array.
    categorical_features
        As scikit-learn's HistGradientBoosting takes it: ``"from_dtype"``, None, numbers, names or
        a mask of the columns.
    rows
        Minimum number of rows.
    declared
        Whether the levels that a column's type lists (pandas' categories, polars' Enum) count even
        if no row has them.

    Returns
    -------
    matrix
        Float array; categorical columns contain codes.
    categories
        The learned levels.
    """
    table = _Table.of(type(estimator).__name__, X)
    by_dtype = isinstance(categorical_features, str) and categorical_features == "from_dtype"
    if table is None and (categorical_features is None or by_dtype):
        matrix = check_fit(estimator, X, rows=rows)
        return matrix, [None] * matrix.shape[1]
    check_params(estimator)
    if sp.issparse(X):
        raise DataError(
            f"{type(estimator).__name__}: categorical_features are given for a sparse X; make X "
            "dense, or leave categorical_features at 'from_dtype'."
        )
    if table is None:
        table = _Table.of_numbers(check_fit(estimator, X, rows=rows))
    else:
        _remember(estimator, X, table, reset=True)
        check_rows(estimator, table.n_rows, rows)
    chosen = _chosen(estimator, categorical_features, table)
    categories: Categories = [
        table.levels(j, type(estimator).__name__, declared) if chosen[j] else None
        for j in range(table.n_columns)
    ]
    return _encoded(estimator, table, categories), categories


def check_new_columns(
    estimator: Estimator, X: Table, categories: Categories, *, dtype: npt.DTypeLike | None = None
) -> Any:
    """Check data for a fitted estimator and give each category the code it had in fit."""
    table = _Table.of(type(estimator).__name__, X)
    if table is None:
        matrix = check_new(estimator, X, dtype=dtype)
        if all(map(is_, categories, repeat(None))):  # fast for ten thousand columns
            return matrix
        if sp.issparse(matrix):
            raise DataError(
                f"{type(estimator).__name__}: X is sparse but some columns are categorical; make X "
                "dense."
            )
        table = _Table.of_numbers(matrix)
    else:
        check_is_fitted(estimator)
        _remember(estimator, X, table, reset=False)
    matrix = _encoded(estimator, table, categories)
    return matrix if dtype is None else np.ascontiguousarray(matrix, dtype=dtype)


def check_named_columns(estimator: Estimator, X: Table, *, reset: bool) -> Any:
    """Check a table with categorical columns, for an estimator that passes it on.

    Returns the table as it is, a list as an array of objects, or None where X is plain numbers
    to be checked by `check_fit` or `check_new`.
    """
    owner = type(estimator).__name__
    table = translated(owner, "X", lambda: _Table.of(owner, X))
    if table is None:
        return None
    if reset:
        check_params(estimator)
    else:
        check_is_fitted(estimator)
    _remember(estimator, X, table, reset=reset)
    return np.array(X, dtype=object) if isinstance(X, list | tuple) else X


def chosen_columns(estimator: Estimator, wanted: Any, n_columns: int) -> npt.NDArray[np.bool_]:
    """Return which columns of a table of numbers are categories."""
    return _chosen(estimator, wanted, _Table.of_numbers(np.empty((0, n_columns))))


def coded_numbers(matrix: Matrix, categories: Categories) -> Matrix:
    """Return a table of numbers with codes in place of the categories, whose levels are numbers."""
    if all(levels is None for levels in categories):
        return matrix
    coded = matrix.copy()
    for j, levels in enumerate(categories):
        if levels is not None:
            column = matrix[:, j]
            place = np.searchsorted(levels, column)
            known = levels[np.minimum(place, len(levels) - 1)] == column if len(levels) else False
            coded[:, j] = np.where(known, place, np.where(np.isnan(column), np.nan, len(levels)))
    return coded


class _Table:
    """Columns, read as numbers or as a list of levels with None for missing values."""

    def __init__(self, columns: Sequence[Any], names: Sequence[str], by_dtype: Sequence[bool]):
        self.columns = columns
        self.names = names
        self.by_dtype = by_dtype  # which columns are categorical by their type
        self.n_columns = len(columns)
        self.n_rows = len(columns[0]) if columns else 0
        self._lists: dict[int, list[Any]] = {}

    @classmethod
    def of(cls, owner: str, X: Table) -> "_Table | None":
        """Wrap a frame with a categorical column or an array of objects; None for numbers only."""
        if isinstance(X, list | tuple):
            flat = [v for row in X if isinstance(row, list | tuple) for v in row]
            if not any(isinstance(v, str) for v in flat):
                return None
            X = np.array(X, dtype=object)
        if isinstance(X, np.ndarray):
            if X.dtype.kind not in "OU" or X.ndim != 2 or 0 in X.shape:
                return None
            columns = [X[:, j].tolist() for j in range(X.shape[1])]
            by_dtype = [any(isinstance(v, str) for v in column) for column in columns]
            if not any(by_dtype):
                return None
            return cls(columns, [str(j) for j in range(len(columns))], by_dtype)
        frame = frame_of(owner, X)
        if not isinstance(frame, nw.DataFrame) or 0 in frame.shape:
            return None
        by_dtype = [_is_categorical(frame.get_column(name)) for name in frame.columns]
        if not any(by_dtype):
            return None
        return cls([frame.get_column(name) for name in frame.columns], frame.columns, by_dtype)

    @classmethod
    def of_numbers(cls, matrix: Matrix) -> "_Table":
        names = [str(j) for j in range(matrix.shape[1])]
        return cls(list(matrix.T), names, [False] * len(names))

    def numbers(self, j: int, owner: str) -> Matrix:
        """Return column j as floats; float32 stays float32."""
        column = self.columns[j]
        if isinstance(column, nw.Series):
            if column.dtype.is_temporal():
                raise DataError(
                    f"{owner}: column {self.names[j]!r} of X contains {column.dtype}; turn times "
                    "into numbers first."
                )
            values: Any = column.to_numpy()
            if values.dtype.kind == "O":  # nullable numbers
                values = [np.nan if v is None or v is _missing(v) else v for v in values]
        else:
            values = column
        kind = values.dtype if getattr(values, "dtype", None) == np.float32 else np.float64

        def convert() -> Matrix:
            return np.asarray(values, dtype=kind)

        return translated(owner, f"X, column {self.names[j]!r}", convert)

    def values(self, j: int, owner: str) -> list[Any]:
        """Return column j as a list of levels, None for missing values; it is cached."""
        if j not in self._lists:
            self._lists[j] = self._listed(j, owner)
        return self._lists[j]

    def _listed(self, j: int, owner: str) -> list[Any]:
        column = self.columns[j]
        if isinstance(column, nw.Series):
            plain = column.to_list()
            if column.null_count() > 0:
                null = column.is_null().to_list()
                plain = [None if m else v for v, m in zip(plain, null, strict=True)]
            if float in set(map(type, plain)):  # polars has NaN besides null
                plain = [None if v != v else v for v in plain]
        else:
            plain = [None if v is None or v is _missing(v) else v for v in column]
        if isinstance(column, np.ndarray):
            return plain
        for kind in set(map(type, plain)):
            if issubclass(kind, dict | list | tuple | set | bytes | complex):
                raise TypeError(
                    f"{owner}: column {self.names[j]!r} of X contains a {kind.__name__}; argument "
                    "must be a string or a number. Turn it into one of these."
                )
        return plain

    def levels(self, j: int, owner: str, declared: bool) -> Levels:
        """Sort the levels of column j: numbers if all are, strings otherwise."""
        seen = set(self.values(j, owner)) - {None}
        column = self.columns[j]
        if declared and isinstance(column, nw.Series) and type(column.dtype).__name__ in _LISTED:
            seen |= set(column.cat.get_categories().to_list())
        if all(isinstance(v, Real) for v in seen):
            return np.array(sorted(float(v) for v in seen), dtype=np.float64)
        return np.array(sorted({str(v) for v in seen}), dtype=object)


def _is_categorical(column: Any) -> bool:
    kind = type(column.dtype).__name__
    return kind in _CATEGORICAL or (
        kind == "Object" and any(isinstance(v, str) for v in column.to_list())
    )


def _missing(value: Any) -> Any:
    """Return the value itself if it is NaN, pandas.NA or NaT, which do not equal themselves."""
    equal = value == value
    return value if equal is not True and not (isinstance(equal, np.bool_) and equal) else None


def _remember(estimator: Estimator, X: Table, table: _Table, *, reset: bool) -> None:
    """Let scikit-learn check (or learn) the number and names of the columns."""
    owner = type(estimator).__name__
    if isinstance(X, list | tuple):
        X = np.empty((table.n_rows, table.n_columns))
    translated(owner, "X", lambda: validate_data(estimator, X, reset=reset, skip_check_array=True))


def _chosen(estimator: Estimator, wanted: Any, table: _Table) -> npt.NDArray[np.bool_]:
    """Return which columns are categories."""
    owner = type(estimator).__name__
    by_dtype = table.by_dtype
    chosen = np.zeros(table.n_columns, dtype=bool)
    if isinstance(wanted, str) and wanted == "from_dtype":
        return np.array(by_dtype, dtype=bool)
    if wanted is None:
        return chosen
    try:
        asked = np.asarray(wanted)
    except ValueError:  # lists of several lengths
        asked = np.zeros((1, 2))  # which is refused below
    if asked.dtype.kind == "b" and asked.shape == chosen.shape:
        return asked.copy()
    if asked.size == 0:
        return chosen
    if asked.dtype.kind in "iu" and asked.ndim == 1:
        if asked.min() < 0 or asked.max() >= table.n_columns:
            raise ParameterError(
                f"{owner}: categorical_features must be in [0, {table.n_columns - 1}], the columns "
                f"of X; got {asked.tolist()}."
            )
        chosen[asked] = True
        return chosen
    if asked.dtype.kind in "UO" and asked.ndim == 1 and all(isinstance(v, str) for v in asked):
        known = list(getattr(estimator, "feature_names_in_", ()))
        unknown = [v for v in asked if v not in known]
        if unknown:
            raise ParameterError(
                f"{owner}: categorical_features names {unknown[0]!r}, which is not a column of X; "
                + (f"the columns are {known[:10]}." if known else "X has no column names.")
            )
        chosen[[known.index(v) for v in asked]] = True
        return chosen
    raise ParameterError(
        f"{owner}: categorical_features must be 'from_dtype', None, or an array of column numbers, "
        f"column names or one bool per column ({table.n_columns}); got {wanted!r}."
    )


def _encoded(estimator: Estimator, table: _Table, categories: Categories) -> Matrix:
    owner = type(estimator).__name__
    columns = [
        table.numbers(j, owner) if levels is None else _codes(table.values(j, owner), levels)
        for j, levels in enumerate(categories)
    ]
    kinds = {c.dtype for c, levels in zip(columns, categories, strict=True) if levels is None}
    single = kinds == {np.dtype(np.float32)}
    matrix = np.empty((table.n_rows, table.n_columns), np.float32 if single else np.float64)
    for j, column in enumerate(columns):
        matrix[:, j] = column
    if estimator.takes_infinity:
        return within_range(matrix)
    check_finite(owner, "X", matrix, nan=estimator.takes_nan)
    return matrix


def _codes(values: list[Any], levels: Levels) -> npt.NDArray[np.float64]:
    code: dict[Any, float] = {level: float(i) for i, level in enumerate(levels.tolist())}
    unseen = float(len(levels))
    key: Callable[[Any], Any] = str if levels.dtype.kind == "O" else lambda v: v
    distinct = {v: code.get(key(v), unseen) for v in set(values) if v is not None}
    distinct[None] = np.nan
    return np.fromiter(map(distinct.__getitem__, values), dtype=np.float64, count=len(values))
