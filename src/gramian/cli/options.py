"""Options shared by several commands, and parsers of their values."""

import re
from typing import Annotated, Optional

from typer import Argument, Option

Data = Annotated[
    Optional[str],  # noqa: UP045 - Typer reads the annotation at run time
    Argument(
        help="CSV, TSV, Parquet, ARFF or XLSX file, plain or gzipped; - reads standard input."
    ),
]
Example = Annotated[
    str | None, Option(help="A built-in table: breast-cancer, diabetes, digits, iris or wine.")
]
Sheet = Annotated[str | None, Option(help="Sheet of a workbook; the default is the first one.")]
Target = Annotated[
    str | None,
    Option("--target", "-t", help="Column to predict, or several columns of 0 and 1: a,b,c."),
]
Json = Annotated[bool, Option("--json", help="Print the result as JSON.")]
Open = Annotated[bool, Option("--open", help="Open the report in the browser.")]
Threads = Annotated[
    int | None, Option(min=1, help="Number of threads; does not change the result.")
]
Alpha = Annotated[float, Option(help="Significance level of the tests.")]
Drop = Annotated[str | None, Option(help="Columns to drop, separated by commas.")]
Categorical = Annotated[
    str | None, Option(help="Columns to treat as categorical, such as numeric codes.")
]
Groups = Annotated[
    str | None, Option(help="Column of groups; all rows of a group stay together in every split.")
]
Weights = Annotated[str | None, Option(help="Column of row weights.")]
Seed = Annotated[int, Option(min=0, help="Random seed; the same seed gives the same result.")]


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
