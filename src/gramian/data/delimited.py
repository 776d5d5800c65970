"""CSV, TSV and similar files: separator, decimal mark and header are detected."""

import csv
import io
import re
from typing import Any

from gramian.base.errors import DataError, need

MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null")
_SEPARATORS = (",", "\t", ";", "|")
_LINES = 100  # looked at
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_DECIMAL_POINT = re.compile(r"[+-]?\d+\.\d+")


def parse_delimited(text: str, name: str) -> tuple[Any, list[str]]:
    r"""Return a polars frame and notes on what was assumed.

    Examples
    --------
    >>> frame, notes = parse_delimited("a;b\n1,5;x\n2,5;y\n", "t.csv")
    >>> frame["a"].to_list(), notes
    ([1.5, 2.5], ['columns are separated by semicolons', 'numbers have decimal commas'])
    """
    pl = need("polars", extra="app")
    head = text[: _end_of_lines(text)]
    separator = _separator(head)
    rows = list(csv.reader(io.StringIO(head), delimiter=separator))
    rows = [row for row in rows if row]
    if not rows:
        raise DataError(f"{name}: the file is empty; give a table with a header line and rows.")
    notes = []
    if separator != ",":
        words = {"\t": "tabs", ";": "semicolons", "|": "bars"}[separator]
        notes.append(f"columns are separated by {words}")
    cells = [cell.strip() for row in rows[1:] for cell in row]
    comma = separator != "," and (
        sum(bool(_DECIMAL_COMMA.fullmatch(c)) for c in cells)
        > sum(bool(_DECIMAL_POINT.fullmatch(c)) for c in cells)
    )
    if comma:
        notes.append("numbers have decimal commas")
    header = not all(_is_number(cell, comma) for cell in rows[0])
    if not header:
        notes.append("there is no header line, so columns are named column_1, column_2, …")
    try:
        frame = pl.read_csv(
            text.encode(),
            separator=separator,
            has_header=header,
            null_values=list(MISSING),
            try_parse_dates=True,
            infer_schema_length=None,
            decimal_comma=comma,
            truncate_ragged_lines=False,
        )
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise DataError(f"{name}: not a table with equally long lines ({reason}).") from None
    places = [f"column_{i + 1}" for i in range(frame.width)]
    given = [c.strip() or p for c, p in zip(frame.columns, places, strict=True)]
    if len(set(given)) == len(given):
        frame.columns = given if header else places
    return frame, notes


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

    def regularity(separator: str) -> tuple[float, int]:
        widths = [len(row) for row in csv.reader(io.StringIO(head), delimiter=separator) if row]
        if not widths or widths[0] < 2:
            return 0.0, 0
        return sum(width == widths[0] for width in widths) / len(widths), widths[0]

    return max(_SEPARATORS, key=regularity)


def _is_number(cell: str, comma: bool) -> bool:
    try:
        float(cell.replace(",", ".") if comma else cell)
    except ValueError:
        return False
    return True
