"""Columns of any frame as NumPy arrays: numbers, labels, parts of dates."""

from datetime import date, datetime
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from gramian.base.inputs.gate import frame_of
from gramian.base.types import Floats

_FEW = 20
DATE_PARTS = ("days", "month", "weekday", "hour")


def with_string_names(owner: str, table: Any) -> Any:
    """Return a narwhals frame whose columns are named by strings; pandas allows other names.

    Other objects are returned unchanged.
    """
    frame = frame_of(owner, table)
    if not isinstance(frame, nw.DataFrame) or all(isinstance(name, str) for name in frame.columns):
        return frame
    native = frame.to_native().copy(deep=False)
    native.columns = [str(name) for name in frame.columns]
    return frame_of(owner, native)


def check_frame(owner: str, table: Any) -> nw.DataFrame[Any]:
    """Return a narwhals frame with columns named by strings; raise if the table is not a frame."""
    frame = with_string_names(owner, table)
    if isinstance(frame, nw.DataFrame):
        return frame
    raise TypeError(
        f"{owner}: table must be a frame (pandas, polars, pyarrow); got {type(table).__name__}."
    )


def numbers_of(frame: nw.DataFrame[Any], names: list[str]) -> Floats:
    """Return columns as floats; missing, infinite and unreadable cells are NaN."""
    # Computing the schema of ten thousand columns is slow, so only the types of a few are read.
    schema = {n: frame[n].dtype for n in names} if len(names) < _FEW else frame.schema
    readable = [schema[n].is_numeric() or schema[n] == nw.Boolean for n in names]
    values = np.full((len(frame), len(names)), np.nan)
    if any(readable):
        plain = frame[[n for n, fine in zip(names, readable, strict=True) if fine]]
        cast = plain.select(nw.all().cast(nw.Float64))  # one expression for all columns
        values[:, readable] = np.asarray(cast.to_numpy(), dtype=np.float64)
    for place in np.flatnonzero(~np.array(readable, dtype=bool)):
        values[:, place] = [_number(v) for v in frame[names[place]].to_list()]
    values[np.isinf(values)] = np.nan
    return values


def labels_of(column: nw.Series[Any]) -> list[str | None]:
    """Return a column as strings, None for missing values; 1, 1.0 and "1" are the same label."""
    kind = column.dtype
    values = column.to_list()
    if kind == nw.String or type(kind).__name__ in ("Categorical", "Enum"):
        return [v if isinstance(v, str) else None for v in values]  # pandas uses NaN
    named = {v: _label(v) for v in set(values)}
    return [named[v] for v in values]


def dates_of(column: nw.Series[Any]) -> Floats:
    """Return days since 1970, month, weekday (Monday is 0) and hour; NaN for missing values."""
    if column.dtype.is_temporal():
        if getattr(column.dtype, "time_zone", None) is not None:
            column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        times = column.cast(nw.Datetime("us")).to_numpy().astype("datetime64[us]")
    else:
        times = np.array([_time(v) for v in column.to_list()], dtype="datetime64[us]")
    missing = np.isnat(times)
    times = np.where(missing, np.datetime64(0, "us"), times)
    days = times.astype("datetime64[D]")
    parts = np.column_stack(
        [
            (times - np.datetime64(0, "us")) / np.timedelta64(1, "D"),
            times.astype("datetime64[M]").astype(np.int64) % 12 + 1,
            (days.astype(np.int64) + 3) % 7,  # day 0 was a Thursday
            (times - days) / np.timedelta64(1, "h"),
        ]
    ).astype(np.float64)
    parts[missing] = np.nan
    return parts


def _label(value: Any) -> str | None:
    equal = value == value  # False for NaN, neither True nor False for pandas.NA
    if value is None or not (isinstance(equal, bool | np.bool_) and equal):
        return None
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan


def _time(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return np.datetime64(value, "us")
    try:
        return np.datetime64(datetime.fromisoformat(str(value)), "us")
    except ValueError:
        return np.datetime64("NaT", "us")
