"""Inference of the kinds of columns: numeric, categorical, date, text, identifier, ..."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np

from gramian.base.errors import DataError
from gramian.data.columns import check_frame, numbers_of
from gramian.data.formats.inference import looks_like_values
from gramian.data.formats.parsing import parse_columns

ColumnKindName = Literal[
    "numeric", "categorical", "date", "text", "identifier", "constant", "empty"
]
# Columns of the other kinds are not used.
USED: tuple[ColumnKindName, ...] = ("numeric", "categorical", "date", "text")

_IDENTIFIER = re.compile(r"(^|[_\W])(id|uuid|guid|key|index|rownames?|row|nr|no)$", re.IGNORECASE)
_NUMERIC = "numeric values"
_WORDS_OF_TEXT = 3.0  # strings with at least this mean number of words are text
_FEW_LEVELS = 20  # strings of any length with at most this many values are categorical


@dataclass(frozen=True)
class ColumnKind:
    """The kind of a column, and the reason for it."""

    kind: ColumnKindName
    reason: str


def infer_kinds(table: Any) -> dict[str, ColumnKind]:
    """Infer the kind of every column of a frame.

    Parameters
    ----------
    table
        A frame of pandas, polars or pyarrow.

    Returns
    -------
    dict
        Kind and reason by column name. Columns of numbers are numeric, but consecutive integers
        that number the rows are identifiers. Strings that can be parsed as numbers or dates have
        these kinds; others are categorical if they repeat, text if they have several words, and
        identifiers if they are all different.

    Examples
    --------
    >>> import polars as pl
    >>> columns = {"id": [1, 2, 3], "tree": ["ash", "ash", "oak"], "height": [9.5, 12, 7]}
    >>> frame = pl.DataFrame(columns)
    >>> for name, found in infer_kinds(frame).items():
    ...     print(f"{name}: {found.kind}, {found.reason}")
    id: identifier, consecutive integers that number the rows
    tree: categorical, 2 distinct strings
    height: numeric, numeric values
    """
    frame = check_frame("infer_kinds", parse_columns(check_frame("infer_kinds", table)).frame)
    return kinds_of(frame)


def kinds_of(frame: Any, owner: str = "infer_kinds") -> dict[str, ColumnKind]:
    """Infer the kind of every column of a narwhals frame whose strings have been read."""
    floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    varied = set()
    if floats:  # all at once: there may be ten thousand of them
        values = numbers_of(frame, floats)
        low, high = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
        varied = {name for name, a, b in zip(floats, low, high, strict=True) if a < b}
    return {
        name: ColumnKind("numeric", _NUMERIC) if name in varied else _kind(name, frame[name], owner)
        for name in frame.columns
    }


def _kind(name: str, column: Any, owner: str) -> ColumnKind:
    values = column.drop_nulls()
    if column.dtype.is_float():
        values = values.filter(values.is_finite())
    if len(values) == 0:
        return ColumnKind("empty", "no values")
    try:
        distinct = values.n_unique()
    except TypeError:  # lists, dictionaries or sets, which pandas cannot compare
        entry = type(values.to_list()[0]).__name__
        raise DataError(
            f"{owner}: column {name!r} has entries of type {entry}; split it into one column per "
            "part, or drop it."
        ) from None
    if distinct == 1:
        shown = _short(values.to_list()[0])
        if len(values) < len(column):  # missing values may be informative
            return ColumnKind("categorical", f"{shown} or missing")
        return ColumnKind("constant", f"always {shown}")
    if column.dtype.is_numeric():
        return _kind_of_numbers(name, column, values, distinct)
    if column.dtype.is_temporal():
        return ColumnKind("date", "dates")
    if type(column.dtype).__name__ in ("Boolean", "Categorical", "Enum"):
        return ColumnKind("categorical", f"{distinct} levels")
    return _kind_of_strings([str(v) for v in values.to_list()], distinct)


def _kind_of_numbers(
    name: str, column: nw.Series[Any], values: nw.Series[Any], distinct: int
) -> ColumnKind:
    if column.dtype.is_integer() and distinct == len(column) > 2:
        numbers = values.to_numpy()
        if int(numbers.max()) - int(numbers.min()) == len(numbers) - 1:
            steps = np.diff(numbers)
            if (steps == 1).all() or _IDENTIFIER.search(name):
                return ColumnKind("identifier", "consecutive integers that number the rows")
        elif _IDENTIFIER.search(name):
            return ColumnKind("identifier", "distinct integers with the name of an identifier")
    return ColumnKind("numeric", _NUMERIC)


def _kind_of_strings(values: Sequence[str], distinct: int) -> ColumnKind:
    if distinct <= _FEW_LEVELS and distinct < len(values):
        return ColumnKind("categorical", f"{distinct} distinct strings")
    words = float(np.mean([len(value.split()) for value in values[:10_000]]))
    if words >= _WORDS_OF_TEXT and distinct > 0.2 * len(values):
        return ColumnKind("text", f"strings of {words:.0f} words, {distinct} distinct")
    if distinct > 0.9 * len(values) and len(values) >= 10 and not looks_like_values(list(values)):
        return ColumnKind("identifier", f"{distinct} distinct strings in {len(values)} rows")
    return ColumnKind("categorical", f"{distinct} distinct strings")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
