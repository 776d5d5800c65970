"""Tables of costs: read from a CSV file, shown with the order of their classes."""

import csv
from pathlib import Path
from typing import Any, NamedTuple

from gramian.base.errors import DataError
from gramian.cli.console import table_of


class CostTable(NamedTuple):
    """The costs in a file, and their classes in order if the file names them."""

    costs: tuple[tuple[float, ...], ...] | None = None
    classes: tuple[str, ...] | None = None


def read_costs(path: Path | None) -> CostTable:
    """Read a table of costs: one row per decision, one column per true class.

    With a header of class names and a name at the start of each row, the order is free; without
    names, the classes are in sorted order.
    """
    if path is None:
        return CostTable()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: costs cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: costs must be UTF-8 text; save the table as CSV.") from None
    lines = text.splitlines()
    mark = max(",;\t", key=lines[0].count) if lines else ","
    rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(lines, delimiter=mark)
        if any(cell.strip() for cell in row)
    ]
    try:
        return CostTable(_numbers(rows))
    except ValueError:
        return _labelled(rows, path)


def show_costs(costs: Any, classes: list[str]) -> None:
    """Print a table of costs with its classes."""
    rows = [[name, *(f"{c:g}" for c in row)] for name, row in zip(classes, costs, strict=True)]
    table_of(["decision / truth", *classes], rows, set(range(1, len(classes) + 1)))


def _labelled(rows: list[list[str]], path: Path) -> CostTable:
    try:
        classes, names = tuple(rows[0][1:]), [row[0] for row in rows[1:]]
        costs = _numbers([row[1:] for row in rows[1:]])
        if len(costs[0]) != len(classes) or len(classes) < 2:
            raise ValueError
    except (ValueError, IndexError):
        raise DataError(
            f"{path}: costs must be numbers separated by commas: one row per decision and one "
            "column per true class. Name the classes in the first line and at the start of each "
            "row, or use numbers only, with the classes in sorted order."
        ) from None
    if len(set(classes)) < len(classes) or sorted(names) != sorted(classes):
        raise DataError(
            f"{path}: the rows are named {', '.join(names)} and the columns "
            f"{', '.join(classes)}; both must list every class once."
        )
    return CostTable(tuple(costs[names.index(name)] for name in classes), classes)


def _numbers(rows: list[list[str]]) -> tuple[tuple[float, ...], ...]:
    costs = tuple(tuple(float(cell) for cell in row) for row in rows)
    if len({len(row) for row in costs}) != 1:
        raise ValueError
    return costs
