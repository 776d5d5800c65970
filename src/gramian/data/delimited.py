"""CSV, TSV and similar files: separator and header are detected; every cell is a string."""

import csv
import io
from collections.abc import Iterator
from typing import Any

from gramian.base.errors import DataError, need
from gramian.data.formats.numbers import split_number
from gramian.data.names import unique_names

_SEPARATORS = (",", "\t", ";", "|")
_WORDS = {"\t": "tabs", ";": "semicolons", "|": "bars"}
_BREAKS = "\r\n"
_LINES = 100  # number of lines used for detection


def parse_delimited(text: str, name: str) -> tuple[Any, list[str]]:
    r"""Return a polars frame of strings, and notes about assumptions.

    Lines with too few fields are filled with missing values and lines with too many are an error;
    both are reported with their numbers.

    Examples
    --------
    >>> frame, notes = parse_delimited("a;b\n1,5;x\n2,5\n", "t.csv")
    >>> frame.rows()
    [('1,5', 'x'), ('2,5', None)]
    >>> notes
    ['columns are separated by semicolons', 'line 3 has 1 field; the header has 2']
    """
    head = text[: _end_of_lines(text)]
    separator = _separator(head)
    try:
        rows = [row for row in csv.reader(io.StringIO(head), delimiter=separator) if row]
    except csv.Error as error:
        raise DataError(f"{name}: not a table of rows and fields ({error}).") from None
    if not rows:
        raise DataError(f"{name}: the file is empty; it must have a header line and rows.")
    notes = []
    above = _lines_above(head, separator)
    if above:
        # Titles become empty lines, so that later lines keep their numbers.
        text = "\n" * above + text.split("\n", above)[above]
        rows = [row for n, row in _records(head, separator) if row and n > above]
        notes.append(
            f"{_counted(above, 'line')} above the table skipped: {head.split(chr(10))[0]!r}"
        )
    if separator != ",":
        notes.append(f"columns are separated by {_WORDS[separator]}")
    header = not all(_is_number(cell) for cell in rows[0])
    names = [cell.strip() for cell in rows[0]] if header else [""] * len(rows[0])
    if not header:
        notes.append("there is no header line, so columns are named column_1, column_2, …")
    elif len(rows) > 1 and all(len(r) == len(names) + 1 and r[-1].strip() for r in rows[1:]):
        names = ["row", *names]  # R writes row names without a heading
        text = f"row{separator}{text.lstrip(_BREAKS)}"
    frame, more = _read(text, separator, header, len(names), name)
    frame.columns, renamed = unique_names(names)
    blank = [c for c, n in zip(frame.columns, names, strict=True) if header and not n]
    frame = frame.drop([c for c in blank if frame[c].null_count() == frame.height])
    return frame, notes + more + renamed


def _read(text: str, separator: str, header: bool, width: int, name: str) -> tuple[Any, list[str]]:
    """Return the rows as a frame of strings, and notes on lines of other lengths."""
    pl = need("polars", extra="app")

    def read(cut: bool) -> Any:
        return pl.read_csv(
            text.lstrip(_BREAKS).encode(),
            separator=separator,
            has_header=False,
            schema={f"column_{i + 1}": pl.String for i in range(width)},
            truncate_ragged_lines=cut,
        )

    notes = []
    try:
        frame = read(cut=False)
    except pl.exceptions.PolarsError as error:
        longer = [(n, row) for n, row in _records(text, separator) if len(row) > width]
        full = [(n, row) for n, row in longer if any(cell.strip() for cell in row[width:])]
        if full or not longer:
            reason = _lengths(full, width) if full else str(error).splitlines()[0].rstrip(".")
            raise DataError(f"{name}: {reason}; quote fields that contain {separator!r}.") from None
        frame = read(cut=True)
        notes.append(_lengths(longer, width))
    if width > 1 and frame[:, -1].null_count():
        records = list(_records(text.lstrip(_BREAKS), separator))
        whole = [i for i, (_, row) in enumerate(records) if row]
        if len(whole) < frame.height == len(records):
            notes.append(f"{_counted(frame.height - len(whole), 'empty line')} dropped")
            frame = frame[whole]
        shorter = [(n, row) for n, row in _records(text, separator) if 0 < len(row) < width]
        notes += [_lengths(shorter, width)] if shorter else []
    return frame[1:] if header else frame, notes


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line and the fields of each record."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    line = 1
    for row in reader:
        yield line, row
        line = reader.line_num + 1


def _lengths(odd: list[tuple[int, list[str]]], width: int) -> str:
    """Return a note about lines whose number of fields differs from the header's."""
    number, row = odd[0]
    more = len(odd) - 1
    others = f" (and {_counted(more, 'more line')} like it)" if more else ""
    return f"line {number} has {_counted(len(row), 'field')}; the header has {width}{others}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _lines_above(head: str, separator: str) -> int:
    """Return the number of title lines above the table: one field, while rows have several."""
    records = [(n, row) for n, row in _records(head, separator) if row]
    widths = [len(row) for _, row in records]
    common = max(set(widths), key=widths.count)
    if widths[0] > 1 or common < 3 or widths.count(common) < 0.8 * len(widths):
        return 0
    return next(n for n, row in records if len(row) == common) - 1


def separator_of(text: str) -> str:
    """Return the separator of a text."""
    return _separator(text[: _end_of_lines(text)])


def _end_of_lines(text: str) -> int:
    at = -1
    for _ in range(_LINES):
        found = text.find("\n", at + 1)
        if found < 0:
            return len(text)
        at = found
    return at + 1


def _separator(head: str) -> str:
    """Return the separator that gives the most lines the same number of columns."""

    def regularity(separator: str) -> tuple[float, float, int]:
        try:
            widths = [len(r) for r in csv.reader(io.StringIO(head), delimiter=separator) if r]
        except csv.Error:  # a line without this separator is a very long field
            widths = []
        common = max(set(widths), key=widths.count, default=0)
        if common < 2:
            return 0.0, 0.0, 0
        alike = [sum(width == w for width in widths) / len(widths) for w in (widths[0], common)]
        return alike[0] if widths[0] > 1 else 0.0, alike[1], common

    return max(_SEPARATORS, key=regularity)


def _is_number(cell: str) -> bool:
    parts = split_number(cell)
    return parts is not None and not parts.unit and not parts.currency
