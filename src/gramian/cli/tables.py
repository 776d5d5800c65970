"""The table of a command: a file, a pipe or a built-in example."""

import sys
from dataclasses import dataclass
from pathlib import Path

from gramian.base.errors import DataError, ParameterError
from gramian.data.examples import load_example
from gramian.data.mulan import match_labels, read_label_names
from gramian.data.reading import LoadedTable, parse_table, read_table


@dataclass(frozen=True)
class CommandInput:
    """The input of a command: the table, its target, its source, and bytes from a pipe."""

    table: LoadedTable
    target: str | None
    source: str
    piped: bytes | None = None


def read_data(
    data: str | None,
    example: str | None,
    target: str | None,
    *,
    sheet: str | None = None,
    parse: bool = True,
) -> CommandInput:
    """Read the table of a command; `parse` is False for a model that has its own formats."""
    if example is not None and data is None:
        if sheet is not None:
            raise ParameterError(f"--sheet cannot be used with --example; leave out {sheet!r}.")
        table, own = load_example(example)
        return CommandInput(table, target or own, f"example:{example}")
    if data is None or example is not None:
        raise ParameterError(
            "exactly one table is needed: a file, or a built-in one such as --example wine."
        )
    if data == "-":
        piped = sys.stdin.buffer.read()
        table = parse_table(piped, "standard input", sheet=sheet, parse=parse)
        return CommandInput(table, target, "-", piped)
    table = read_table(data, sheet=sheet, parse=parse)
    return CommandInput(table, target, str(Path(data).resolve()))


def label_columns(
    command_input: CommandInput, labels: Path | None
) -> tuple[str | None, tuple[str, ...]]:
    """Return the target, or the labels that an XML file or a list of columns names."""
    columns = command_input.table.frame.columns
    if labels is not None:
        if command_input.target is not None:
            raise ParameterError("--target and --labels cannot both be used; choose one.")
        named = match_labels(str(labels), read_label_names(labels), columns)
        if len(named) == 1:
            raise ParameterError(
                f"{labels}: the file must list at least two labels; got only {named[0]!r}. Use "
                "--target instead."
            )
        return None, named
    if (
        command_input.target is None
        or command_input.target in columns
        or "," not in command_input.target
    ):
        return command_input.target, ()
    names = tuple(part.strip() for part in command_input.target.split(",") if part.strip())
    absent = [name for name in names if name not in columns]
    if absent:
        raise DataError(f"target: there is no column {absent[0]!r}; check --target.")
    return None, names
