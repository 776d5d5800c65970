"""Options shared by several commands, and parsers of their values."""

import re
from typing import Annotated, Optional

from typer import Argument, Option

from gramian.base.errors import ParameterError

Data = Annotated[
    Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
    Argument(
        help="CSV, TSV, Parquet, ARFF or XLSX file, plain or gzipped; - reads standard input."
    ),
]
Example = Annotated[
    str | None, Option(help="A built-in table: breast-cancer, diabetes, digits, iris or wine.")
]
Sheet = Annotated[str | None, Option(help="Sheet of a workbook; the default is its first.")]
Target = Annotated[
    str | None,
    Option("--target", "-t", help="Column to predict, or several labels of 0 and 1: a,b,c."),
]
Json = Annotated[bool, Option("--json", help="Print the result as JSON.")]
Open = Annotated[bool, Option("--open", help="Open the report in the browser.")]
Threads = Annotated[
    int | None, Option(min=1, help="Number of threads; has no effect on the result.")
]
Alpha = Annotated[float, Option(help="Significance level of the tests.")]
Drop = Annotated[str | None, Option(help="Columns to drop, separated by commas.")]
Categorical = Annotated[
    str | None, Option(help="Columns to take as categories, such as codes of numbers.")
]
Groups = Annotated[
    str | None, Option(help="Column of groups; rows of a group stay together in every split.")
]
Weights = Annotated[str | None, Option(help="Column of row weights.")]
Seed = Annotated[int, Option(min=0, help="Random seed; the same seed gives the same result.")]

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_BYTES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def seconds(text: str | None) -> float | None:
    """Read a time such as 90s, 5m or 1.5h; "none" is no limit.

    Examples
    --------
    >>> seconds("5m")
    300.0
    """
    if text is None or text.strip().lower() == "none":
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip().lower())
    if found is None:
        raise ParameterError(
            f"--budget must be a time such as 90s, 5m or 1h, or none; got {text!r}."
        )
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
    from dataclasses import fields

    from gramian.report.sections.commands import FLAGS, flags_with_values
    from gramian.study.settings import Settings

    own = {"row", "sheet", "threshold", "positive"}
    settings = own | {field.name for field in fields(Settings)}
    message = flags_with_values(message)
    found = re.match(r"\w+(?:(?:, | and )\w+)*(?=:| must | need | cannot )", message)
    if found is None or not settings.issuperset(re.split(", | and ", found[0])):
        return message
    flags = re.sub(r"(?!and\b)\b\w+", lambda m: f"--{FLAGS.get(m[0], m[0])}", found[0])
    rest = message[found.end() :].replace(" must be None ", " must be left out ", 1)
    return flags + rest.replace(" must come with ", " must come with --", 1)


def names(text: str | None) -> tuple[str, ...] | None:
    """Read names separated by commas."""
    if text is None:
        return None
    return tuple(part.strip() for part in text.split(",") if part.strip())
