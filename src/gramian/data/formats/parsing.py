"""Convert string columns of a table to numbers, dates, times and booleans."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from gramian.data.columns import check_frame
from gramian.data.formats.dates import Order, has_other_order, read_date
from gramian.data.formats.inference import (
    NOUNS,
    Format,
    Hints,
    InferredFormat,
    infer_format,
    is_day,
    reader_of,
    unread_note,
)
from gramian.data.formats.missing import is_missing, is_weak_mark
from gramian.data.formats.plain import cast_columns, matching_columns, plain_numbers

_PLAIN: Format = {"kind": "number", "decimal": ".", "unit": ""}
_DAYS: Format = {"kind": "date", "first": "month"}
_ZEROS = r"^\s*0\d{3,}\s*$"
_BARE = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")
_THOUSANDS = r"^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)$"  # ambiguous: may also be decimals


@dataclass(frozen=True, eq=False)
class ParsedTable:
    """A table with typed columns.

    Attributes
    ----------
    frame
        The frame, of the same library as the input.
    formats
        The format of every column that was read from strings.
    notes
        Notes on how columns were read, and on values that could not be read.
    """

    frame: Any
    formats: dict[str, Format] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def parse_columns(table: Any) -> ParsedTable:
    r"""Convert string columns to numbers, dates, times or booleans, or keep them as text.

    Parameters
    ----------
    table
        A frame of pandas, polars or pyarrow. Columns that already have types, including
        categorical ones, stay unchanged, except for times of day, which become hours.

    Examples
    --------
    >>> import polars as pl
    >>> found = parse_columns(pl.DataFrame({"share": ["51%", "7 %"], "day": ["31/01/2023", None]}))
    >>> found.frame.rows()
    [(0.51, datetime.date(2023, 1, 31)), (0.07, None)]
    >>> print(*found.notes, sep="\n")
    'share' is read as numbers: '51%' is 0.51
    'day' is read as dates, day first: '31/01/2023' is 2023-01-31
    """
    frame = check_frame("parse_columns", table)
    padded, grouped = (
        matching_columns(frame, _ZEROS, any_of=True),
        matching_columns(frame, _THOUSANDS),
    )
    plain = cast_columns(frame, padded)
    columns = {
        name: _Column.of(
            frame[name], plain.get(name), padded=name in padded, grouped=name in grouped
        )
        for name, dtype in frame.schema.items()
        if _may_change(dtype)
    }
    hints = _hints(columns)
    columns = {name: column.with_hints(hints) for name, column in columns.items()}
    changed = [c.typed for c in columns.values() if c.typed is not None]
    formats = {n: c.inferred.format for n, c in columns.items() if c.inferred is not None}
    commas = any(form.get("decimal") == "," for form in formats.values())
    notes = ["numbers have decimal commas"] if commas else []
    notes += _missing_notes(columns)
    for column in columns.values():
        notes += column.inferred.notes if column.inferred else []
    if changed:
        frame = frame.with_columns(*changed)
    return ParsedTable(frame.to_native(), formats, notes)


def infer_formats(table: Any, names: Sequence[str]) -> dict[str, Format]:
    """Return the formats of the named string columns.

    Examples
    --------
    >>> import polars as pl
    >>> infer_formats(pl.DataFrame({"x": ["5 kg", "7 kg"], "y": [1, 2]}), ["x", "y"])
    {'x': {'kind': 'number', 'decimal': '.', 'unit': 'kg'}}
    """
    frame = check_frame("infer_formats", table)
    schema = frame.schema
    some = [n for n in names if n in schema and not schema[n].is_numeric()]
    return parse_columns(frame[some].to_native()).formats if some else {}


def apply_formats(table: Any, formats: Mapping[str, Mapping[str, str]]) -> ParsedTable:
    """Read columns in the formats found in another table.

    Plain numbers keep their value, as in columns that have types: 0.23 among percentages is 23 %.
    Dates with the other order of day and month than in that table are read in their own order if
    all of them show it. Values that cannot be read become missing. The notes report all this.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"price": ["$1,200", "cheap", None]})
    >>> found = apply_formats(frame, {"price": {"kind": "number", "decimal": ".", "unit": "$"}})
    >>> found.frame["price"].to_list(), found.notes
    ([1200, None, None], ["1 value of 'price' is not a number and is treated as missing: 'cheap'"])
    """
    frame = check_frame("apply_formats", table)
    changed, notes = [], []
    schema = frame.schema  # looked up once: there may be ten thousand columns
    may_change = {
        dtype: _may_change(dtype) or dtype == nw.Boolean for dtype in set(schema.values())
    }
    for name, form in formats.items():
        if name in schema and may_change[schema[name]] and _may_change(schema[name], form):
            column = frame[name]
            if form["kind"] == "date" and _is_text(column):
                form, other = _own_order(column, form)
                notes += other
            typed, unread = _applied(column, form, bare=True)
            changed += [] if typed is None else [typed]
            if unread:
                notes.append(unread_note(name, NOUNS.get(form["kind"], "yes or no"), unread))
    if changed:
        frame = frame.with_columns(*changed)
    return ParsedTable(frame.to_native(), {n: dict(f) for n, f in formats.items()}, notes)


def _own_order(
    column: nw.Series[Any], form: Mapping[str, str]
) -> tuple[Mapping[str, str], list[str]]:
    """Return the format with the other order of day and month if all dates of a column show it."""
    counts = _counts(column)
    first: Order = "day" if form.get("first") == "day" else "month"
    if not has_other_order(counts, first):
        return form, []
    other: Order = "month" if first == "day" else "day"
    shown = next(text for text in counts if read_date(text, other) != read_date(text, first))
    read = read_date(shown, other)
    example = f": {shown!r} is {read.date()}" if read is not None else ""
    note = f"{column.name!r} has the {other} first (in training: the {first}); it is read so"
    return {**form, "first": other}, [note + example]


@dataclass(frozen=True, eq=False)
class _Column:
    """A column as passed, its format if it has strings, and the converted column if any."""

    raw: Any
    inferred: InferredFormat | None = None
    typed: Any = None
    marks: Mapping[str, int] = field(default_factory=dict)
    counts: Counter[str] | None = None

    @classmethod
    def of(cls, column: nw.Series[Any], plain: Any, *, padded: bool, grouped: bool) -> "_Column":
        """Infer the format of a column; `plain` is the column cast to numbers, or None.

        `padded`: some values have leading zeros. `grouped`: all may have thousands separators.
        """
        if column.dtype in (nw.Time, nw.Duration):
            return cls(column, InferredFormat({"kind": "time"}), _hours(column))
        if column.dtype.is_integer() and _has_days(column):
            example = str(column.drop_nulls().to_list()[0])
            day = reader_of(_DAYS)(example).date()
            note = f"{column.name!r} is read as dates: {example} is {day}"
            found = InferredFormat(_DAYS, [note])
            return cls(column, found, _applied(column, _DAYS)[0])
        if not _is_text(column):
            return cls(column)
        marks: dict[str, int] = {}
        if plain is None and not padded:
            plain, marks = plain_numbers(column)
        if plain is not None:
            return cls._plain(column, plain, marks, grouped)
        return cls._inferred(column, _counts(column), Hints())

    @classmethod
    def _plain(
        cls, column: nw.Series[Any], plain: Any, marks: Mapping[str, int], grouped: bool
    ) -> "_Column":
        if plain.dtype.is_integer() and _has_days(plain):
            return cls._inferred(column, _counts(column), Hints())
        shown = plain.dtype.is_float() and not grouped
        hints = Hints("." if shown else "")
        ambiguous = plain.dtype.is_float() and not shown
        return cls(column, InferredFormat(_PLAIN, [], ambiguous, hints), plain, marks)

    @classmethod
    def _inferred(cls, column: nw.Series[Any], counts: Counter[str], hints: Hints) -> "_Column":
        marks = {text: n for text, n in counts.items() if is_missing(text)}
        known = Counter({text: n for text, n in counts.items() if text not in marks})
        found = infer_format(column.name, known, hints)
        marks = {text: n for text, n in marks.items() if text.strip()}
        return cls(column, found, _applied(column, found.format)[0], marks, counts)

    def with_hints(self, hints: Hints) -> "_Column":
        """Return the column, read again if the formats of other columns could change it."""
        if self.inferred is None or not self.inferred.ambiguous or hints == Hints():
            return self
        counts = _counts(self.raw) if self.counts is None else self.counts
        return self._inferred(self.raw, counts, hints)


def _hints(columns: Mapping[str, _Column]) -> Hints:
    shown = [c.inferred.shows for c in columns.values() if c.inferred is not None]
    decimals = {s.decimal for s in shown if s.decimal}
    first = {s.first for s in shown if s.first}
    return Hints(
        decimals.pop() if len(decimals) == 1 else "", first.pop() if len(first) == 1 else None
    )


def _missing_notes(columns: Mapping[str, _Column]) -> list[str]:
    """Return a note about the marks treated as missing values."""
    marks: dict[str, int] = {}
    names = []
    for name, column in columns.items():
        names += [name] if column.marks else []
        for text, rows in column.marks.items():
            marks[text.strip()] = marks.get(text.strip(), 0) + rows
    if not marks:
        return []
    rows = sum(marks.values())
    shown = ", ".join(map(repr, sorted(marks)[:6])) + (", ..." if len(marks) > 6 else "")
    where = ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")
    values = "1 value" if rows == 1 else f"{rows} values"
    return [f"{shown} treated as missing: {values} in {where}"]


def _may_change(dtype: Any, form: Mapping[str, str] | None = None) -> bool:
    """Return whether this format, or any, may change a column of this type."""
    if dtype in (nw.String, nw.Object, nw.Time, nw.Duration):
        return True
    if form is None:
        return bool(dtype.is_integer())
    days = form["kind"] == "date" and dtype.is_integer()
    return bool(days or (form["kind"] == "boolean" and dtype == nw.Boolean))


# --- columns -----------------------------------------------------------------------------------


def _is_text(column: nw.Series[Any]) -> bool:
    return column.dtype == nw.String or (
        column.dtype == nw.Object and any(isinstance(v, str) for v in column.to_list())
    )


def _counts(column: nw.Series[Any]) -> Counter[str]:
    """Count the values as strings, without None and NaN."""
    return Counter(_text(v) for v in column.to_list() if v is not None and v == v)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _has_days(column: nw.Series[Any]) -> bool:
    """Return whether all integers are days such as 20230131."""
    values = column.drop_nulls()
    numbers = values.to_numpy()
    if not len(numbers) or numbers.min() < 19_000_101 or numbers.max() > 20_991_231:
        return False
    distinct = values.unique().to_list()
    return len(distinct) > 2 and all(is_day(str(v)) for v in distinct)


def _hours(column: nw.Series[Any]) -> Any:
    values = [_as_hours(v) for v in column.to_list()]
    return nw.new_series(column.name, values, nw.Float64, backend=column.implementation)


def _as_hours(value: Any) -> float | None:
    if value is None or value != value:
        return None
    if hasattr(value, "total_seconds"):
        return float(value.total_seconds()) / 3600
    return float(value.hour + value.minute / 60 + (value.second + value.microsecond / 1e6) / 3600)


def _applied(
    column: nw.Series[Any], form: Mapping[str, str], *, bare: bool = False
) -> tuple[Any, dict[str, int]]:
    """Return the column with its type, None if it has it already, and the values not read.

    With `bare`, plain numbers that are not of the format are taken as they are.
    """
    kind = form["kind"]
    if column.dtype in (nw.Time, nw.Duration) and kind == "time":
        return _hours(column), {}
    days = kind == "date" and column.dtype.is_integer()
    words = kind == "boolean" and column.dtype == nw.Boolean
    if not (_is_text(column) or days or words):
        return None, {}
    if form == _PLAIN:
        plain, _ = plain_numbers(column)
        if plain is not None:
            return plain, {}
    cells = column.to_list()
    texts = {v: _text(v) for v in set(cells) if v is not None and v == v}
    read = reader_of(form)
    values = {v: None if is_missing(t) else read(t) for v, t in texts.items()}
    if bare and kind == "number":
        comma = form.get("decimal") == ","
        others = [v for v, t in texts.items() if values[v] is None and not is_missing(t)]
        values |= {v: _plain_number(texts[v], comma) for v in others}
    lost = {
        v for v, t in texts.items()
        if values[v] is None and not is_missing(t) and not (kind != "text" and is_weak_mark(t))
    }  # fmt: skip
    unread = Counter(texts[v] for v in cells if v in lost) if lost else {}
    if kind == "text" and all(values[v] == v for v in texts):
        return None, {}
    found = [values.get(v) for v in cells]
    return _series(column, found, kind), dict(unread)


def _plain_number(text: str, comma: bool) -> float | None:
    """Return a plain number without unit or thousands separators; None if it is not one."""
    text = text.replace(",", ".") if comma else text
    return float(text) if _BARE.fullmatch(text) else None


def _series(column: nw.Series[Any], values: list[Any], kind: str) -> Any:
    """Return a column of one type; integers with missing values become floats in pandas."""
    pandas = column.implementation.is_pandas_like()
    known = [v for v in values if v is not None]
    if kind == "number":
        whole = all(isinstance(v, int) and abs(v) < 2**63 for v in known)
        missing = len(known) < len(values)
        dtype: Any = nw.Int64 if whole and known and not (pandas and missing) else nw.Float64
        if dtype == nw.Float64:
            values = [None if v is None else float(v) for v in values]
    elif kind == "date":
        midnight = all(v == datetime(v.year, v.month, v.day) for v in known)
        dtype = nw.Date if midnight and not pandas else nw.Datetime("us")
        if dtype == nw.Date:
            values = [None if v is None else v.date() for v in values]
    else:
        dtype = {"time": nw.Float64}.get(kind, nw.String)
    return nw.new_series(column.name, values, dtype, backend=column.implementation)
