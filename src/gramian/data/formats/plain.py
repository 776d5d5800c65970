"""Cast columns of strings that are plain numbers, as programs write them, all at once."""

from collections import Counter
from typing import Any

import narwhals.stable.v2 as nw

from gramian.data.formats.missing import MARKS

_WHOLE = r"^[+-]?\d{1,18}$"
_DECIMAL = r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$"


def matching_columns(frame: nw.DataFrame[Any], pattern: str, *, any_of: bool = False) -> set[str]:
    """Return the string columns in which all values match, or any value; in one pass."""
    strings = [name for name, dtype in frame.schema.items() if dtype == nw.String]
    if not strings:
        return set()
    matches = nw.col(*strings).str.contains(pattern).fill_null(not any_of)
    found = frame.select(matches.any() if any_of else matches.all())
    return {name for name, held in zip(strings, found.row(0), strict=True) if held}


def cast_columns(frame: nw.DataFrame[Any], padded: set[str]) -> dict[str, Any]:
    """Return the columns of plain numbers, cast all at once: there may be ten thousand.

    Columns of pandas, which has no missing integers, are cast one by one.
    """
    if frame.implementation.is_pandas_like():
        return {}
    whole = matching_columns(frame, _WHOLE) - padded
    parts = matching_columns(frame, _DECIMAL) - padded - whole
    some = [(nw.Int64, sorted(whole)), (nw.Float64, sorted(parts))]
    casts = [nw.col(*names).cast(kind) for kind, names in some if names]
    if not casts:
        return {}
    return {column.name: column for column in frame.select(*casts).iter_columns()}


def plain_numbers(column: nw.Series[Any]) -> tuple[Any, dict[str, int]]:
    """Return a column of plain numbers cast to a numeric type, and the marks of missing values.

    The column is None if some value is not a plain number.
    """
    if column.dtype != nw.String:
        return None, {}
    plain = _cast(column)
    if plain is not None:
        return plain, {}
    gone = column.str.strip_chars().str.to_lowercase().is_in(sorted(MARKS)).fill_null(False)
    if not gone.any():
        return None, {}
    marks = Counter(t.strip() for t in column.filter(gone).to_list() if t.strip())
    missing = nw.new_series(
        column.name, [None] * len(column), nw.String, backend=column.implementation
    )
    return _cast(column.zip_with(~gone, missing)), dict(marks)


def _cast(column: nw.Series[Any]) -> Any:
    """Return the column as integers, else as floats, else None; fast in every library."""
    for kind in (nw.Int64, nw.Float64):
        try:
            cast = column.cast(kind)
        except Exception:  # each library has its own errors
            continue
        named = kind == nw.Float64 and not column.implementation.is_pandas_like()
        return None if named and cast.is_nan().any() else cast  # "nan" is a mark
    return None
