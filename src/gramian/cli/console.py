"""Output of the commands: messages to standard error, results to standard output."""

import json
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from gramian.base.files.writing import named_errors
from gramian.cli.visible import escaped_json, is_terminal, visible, visible_lines

if TYPE_CHECKING:
    from gramian.study.progress import Step, Watch

_STAGES = {"tune": "tuning", "compare": "comparing", "explain": "explaining"}
messages = Console(stderr=True, highlight=False, emoji=False)


def say(text: str) -> None:
    """Print a message, with the flags of the settings that it names."""
    from gramian.report.sections.commands import with_flags

    messages.print(visible(with_flags(text)), soft_wrap=True, markup=False)


def complain(text: str) -> None:
    """Print an error as one line."""
    sys.stderr.write(f"gramian: {visible(text)}\n")


def emit(text: str) -> None:
    """Print a line of the result, unchanged to a pipe."""
    with named_errors(Path("standard output")):
        sys.stdout.write(f"{visible_lines(text) if is_terminal() else text}\n")
        sys.stdout.flush()


def open_page(path: Path) -> None:
    """Open a page in the browser."""
    if not webbrowser.open(path.resolve().as_uri()):
        say("No browser was found to open the report.")


def between(low: float | None, high: float | None) -> str:
    """Return an interval as text; empty if it is undefined.

    Examples
    --------
    >>> between(-0.00001, 0.5), between(None, 0.5)
    ('0.0000 to 0.5000', '')
    """
    return "" if low is None or high is None else f"{low:z.4f} to {high:z.4f}"


def emit_json(value: Any) -> None:
    """Print the result as JSON."""
    emit(escaped_json(json.dumps(value, indent=1, ensure_ascii=False, default=str)))


@contextmanager
def watching(quiet: bool) -> Iterator["Watch | None"]:
    """Show a progress bar with the remaining time, on a terminal."""
    if quiet or not messages.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description:<24}", markup=False), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=messages, transient=True) as progress:
        task = progress.add_task("reading", total=None)

        def watch(step: "Step") -> None:
            progress.update(
                task,
                total=step.total,
                completed=step.done,
                description=visible(f"{_STAGES[step.stage]}: {step.text}")[:40],
            )

        yield watch


def table_of(headings: list[str], rows: list[list[str]], right: set[int] | None = None) -> None:
    """Print a table as a message."""
    table = Table(box=None, pad_edge=False)
    for i, heading in enumerate(headings):
        justify: Any = "right" if right and i in right else "left"
        table.add_column(Text(visible(heading)), justify=justify, no_wrap=i == 0)
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))  # Text has no markup
    messages.print(table)


def emit_table(headings: list[str], rows: list[list[str]], right: set[int] | None = None) -> None:
    """Print a table that is the result: one line per row, at any width of the terminal."""
    headings, rows = [visible(h) for h in headings], [[visible(c) for c in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = [
            cell.rjust(width) if right and i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        emit("  ".join(cells).rstrip())
