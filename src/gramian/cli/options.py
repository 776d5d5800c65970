"""Options shared by several commands, and parsers of their values."""

import csv
import re
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Optional

from typer import Argument, Option

from gramian.base.errors import DataError, ParameterError
from gramian.report.sections.card import FLAGS
from gramian.study.settings import Settings

Data = Annotated[
    Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
    Argument(
        help="CSV, TSV, Parquet, ARFF or XLSX file, plain or gzipped; - reads standard input."
    ),
]
Example = Annotated[
    str | None, Option(help="A built-in table: breast-cancer, diabetes, digits, iris or wine.")
]
Target = Annotated[str | None, Option("--target", "-t", help="Column to predict.")]
Json = Annotated[bool, Option("--json", help="Print the result as JSON.")]
Threads = Annotated[
    int | None, Option(min=1, help="Number of threads; has no effect on the result.")
]
Seed = Annotated[int, Option(min=0, help="Random seed; the same seed gives the same result.")]

_SETTINGS = {"row", *(field.name for field in fields(Settings))}
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_BYTES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def seconds(text: str | None) -> float | None:
    """Read a time such as 90s, 5m or 1.5h.

    Examples
    --------
    >>> seconds("5m")
    300.0
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip().lower())
    if found is None:
        raise ParameterError(f"--budget must be a time such as 90s, 5m or 1h; got {text!r}.")
    return float(found[1]) * _UNITS[found[2] or "s"]


def number_of_bytes(text: str | None) -> int | None:
    """Read an amount of memory such as 500MB or 4GB.

    Examples
    --------
    >>> number_of_bytes("4GB")
    4000000000
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", text.strip().lower())
    if found is None:
        raise ParameterError(f"--memory must be an amount such as 500MB or 4GB; got {text!r}.")
    return int(float(found[1]) * _BYTES[found[2]])


def name_flags(message: str) -> str:
    """Name the flag in a message of the library that begins with a setting.

    Examples
    --------
    >>> name_flags("test_size must be between 0 and 1; got 2.")
    '--test must be between 0 and 1; got 2.'
    """
    message = re.sub(r"\b(task|groups|time)='(\w+)'", r"--\1 \2", message)
    found = re.match(r"(\w+)(?=:| must | and \w+ (?:need|cannot))", message)
    if found is None or found[1] not in _SETTINGS:
        return message
    return f"--{FLAGS.get(found[1], found[1])}{message[found.end() :]}"


def names(text: str | None) -> tuple[str, ...] | None:
    """Read names separated by commas."""
    if text is None:
        return None
    return tuple(part.strip() for part in text.split(",") if part.strip())


def cost_table(path: Path | None) -> tuple[tuple[float, ...], ...] | None:
    """Read a table of costs: a row per decision, a column per true class."""
    if path is None:
        return None
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: costs cannot be read ({error}).") from None
    rows = [row for row in csv.reader(text.splitlines()) if row]
    try:
        costs = tuple(tuple(float(cell) for cell in row) for row in rows)
        if len({len(row) for row in costs}) != 1:
            raise ValueError
        return costs
    except ValueError:
        raise DataError(
            f"{path}: costs must be numbers separated by commas: a row per decision and "
            "a column per true class, classes in sorted order."
        ) from None
