"""``gramian report``: write the report of a finished run again."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from gramian.base.errors import DataError
from gramian.cli.console import emit, emit_json, open_page
from gramian.cli.options import Json, Open


def report(
    run: Annotated[Path, Argument(help="Run directory.")],
    out: Annotated[Path | None, Option(help="File to write.")] = None,
    open_report: Open = False,
    json: Json = False,
) -> None:
    """Regenerate the report of a finished run as a single HTML file.

    An existing file is never overwritten.
    """
    from gramian.report import render
    from gramian.study.run_folder import read_contents, unused_path, write_whole

    contents = read_contents(run)
    try:
        page = render(contents)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DataError(
            f"{run / 'report.json'}: the file is damaged ({error!r}); fit again."
        ) from None
    path = write_whole(unused_path(run / "report.html" if out is None else out), page)
    if json:
        emit_json({"path": str(path)})
    else:
        emit(str(path))
    if open_report:
        open_page(path)
