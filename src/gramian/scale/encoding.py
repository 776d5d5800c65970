"""Convert frames to arrays: numbers unchanged, categories one-hot encoded or as codes."""

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np

from gramian import _native
from gramian.base.errors import DataError

Encoding: TypeAlias = Literal["one-hot", "dummy", "codes"]
_ROWS = 4096
_TEXT = (nw.String, nw.Categorical, nw.Enum)


@dataclass(frozen=True)
class Encoder:
    """Convert a frame to ``(X, y, weights)`` with a fixed schema and fixed categories.

    Attributes
    ----------
    columns
        The columns of X, in order.
    target, weight
        The columns of y and of the weights, or None.
    categories
        The sorted categories of each text column.
    dtype
        float32 if all numeric columns are float32, otherwise float64.
    encode
        "one-hot": an indicator column for each category; "dummy": for each but the first; "codes":
        one column of codes 0, 1, ...
    """

    columns: list[str]
    target: str | None
    weight: str | None
    dtype: Any
    encode: Encoding
    categories: dict[str, list[str]] = field(default_factory=dict)

    @property
    def _first(self) -> int:
        return int(self.encode == "dummy")

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns of X."""
        names: list[str] = []
        for column in self.columns:
            if column in self.categories and self.encode != "codes":
                names += [f"{column}={value}" for value in self.categories[column][self._first :]]
            else:
                names.append(column)
        return names

    def read_columns(self) -> list[str]:
        """Return the columns to read."""
        return [*self.columns, *self.target_columns()]

    def target_columns(self) -> list[str]:
        """Return the columns to read if X is not needed."""
        return [c for c in (self.target, self.weight) if c is not None]

    def __call__(self, frame: Any, where: str = "a chunk") -> tuple[Any, Any, Any]:
        """Return X, y and the weights of a chunk; absent ones are None."""
        table = _with_columns(frame, self.read_columns(), where)
        columns: list[Any] = []
        for name in self.columns:
            if name not in self.categories:
                plain = _plain(frame, name)
                columns.append(_numbers(name, table[name], where) if plain is None else plain)
                continue
            codes = _codes(name, table[name], self.categories[name], where)
            if self.encode == "codes":
                columns.append(np.where(codes >= 0, codes, np.nan))
            else:
                columns += [codes == k for k in range(self._first, len(self.categories[name]))]
        return _stack_columns(columns, len(table), self.dtype), *self.targets(frame, where)

    def targets(self, frame: Any, where: str = "a chunk") -> tuple[Any, Any]:
        """Return y and the weights of a chunk; absent ones are None."""
        table = _with_columns(frame, self.target_columns(), where)
        y = None
        if self.target is not None:
            y = _labels(self.target, table[self.target], where)
        weights = None
        if self.weight is not None:
            weights = _numbers(self.weight, table[self.weight], where)
        return y, weights


def _with_columns(frame: Any, names: list[str], where: str) -> Any:
    """Return a narwhals frame; raise if a column is missing."""
    table = nw.from_native(frame, eager_only=True)
    gone = [name for name in names if name not in table.columns]
    if gone:
        raise DataError(
            f"scale.chunks: column {gone[0]!r} of the first chunk is missing in {where}."
        )
    return table


def _stack_columns(columns: list[Any], n: int, dtype: Any) -> Any:
    """Stack columns side by side, converting columns of another type in batches of rows."""
    X = np.empty((n, len(columns)), dtype=dtype)
    if all(column.dtype == dtype and column.flags.c_contiguous for column in columns):
        _native.stack_columns(columns, X)
        return X
    for start in range(0, n, _ROWS):
        rows = slice(start, start + _ROWS)
        for j, column in enumerate(columns):
            X[rows, j] = column[rows]
    return X


def column_kinds(frame: Any) -> dict[str, str]:
    """Return "number", "text" or the name of another type, for each column of a frame."""
    table: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    kinds: dict[str, str] = {}
    for name, kind in table.schema.items():
        if kind.is_numeric() or kind == nw.Boolean:
            kinds[name] = "float32" if kind == nw.Float32 else "number"
        elif kind in _TEXT or (kind == nw.Object and _is_text(table[name])):
            kinds[name] = "text"
        else:
            kinds[name] = str(kind)
    return kinds


def _is_text(values: Any) -> bool:
    return all(v is None or isinstance(v, str) or v != v for v in values.to_list())


def categories_in(frame: Any, names: list[str]) -> dict[str, set[str]]:
    """Return the unique values of text columns."""
    table: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    return {
        name: {str(v) for v in table[name].unique().to_list() if isinstance(v, str)}
        for name in names
    }


def _plain(frame: Any, name: str) -> Any:
    """Return an Arrow column without a copy; None unless it is one contiguous array of floats."""
    if type(frame).__module__ != "pyarrow.lib":
        return None
    column = frame.column(name)
    if column.num_chunks != 1 or column.null_count or str(column.type) not in ("float", "double"):
        return None
    return column.chunk(0).to_numpy(zero_copy_only=True)


def _numbers(name: str, values: Any, where: str) -> Any:
    if not (values.dtype.is_numeric() or values.dtype == nw.Boolean):
        raise DataError(
            f"scale.chunks: column {name!r} has numbers in the first chunk and {values.dtype} in "
            f"{where}; write it with one type."
        )
    if values.dtype == nw.Boolean or values.null_count():
        values = values.cast(nw.Float64)
    return values.to_numpy()


def _codes(name: str, values: Any, categories: list[str], where: str) -> Any:
    """Return the category code of each row; -1 for missing values."""
    texts = np.asarray(values.cast(nw.String).to_list(), dtype=object)
    here = {str(v) for v in set(texts) if isinstance(v, str)}
    unknown = here - set(categories)
    if unknown:
        raise DataError(
            f"scale.chunks: column {name!r} has the category {min(unknown)!r} in {where}, which "
            "was absent when the categories were collected; collect them again with scale.chunks."
        )
    place = {value: code for code, value in enumerate(categories)}
    return np.array([place.get(v, -1) if isinstance(v, str) else -1 for v in texts])


def _labels(name: str, values: Any, where: str) -> Any:
    """Return targets: numbers unchanged, text as strings."""
    if values.dtype.is_numeric() or values.dtype == nw.Boolean:
        return values.to_numpy()
    missing = values.null_count()
    if missing:
        raise DataError(
            f"scale.chunks: the target {name!r} is missing in {missing} rows of {where}; drop them."
        )
    return np.asarray(values.cast(nw.String).to_list())
