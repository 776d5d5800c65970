"""The application; errors of gramian become one line and exit code 2.

Commands import the packages they need when they run, so that help is shown immediately.
"""

import sys
from typing import Annotated

import typer

import gramian
from gramian.base.errors import MissingExtra
from gramian.cli.compare import compare
from gramian.cli.console import complain
from gramian.cli.doctor import doctor
from gramian.cli.explain import explain
from gramian.cli.export import export
from gramian.cli.fit import fit
from gramian.cli.models import models
from gramian.cli.options import name_flags
from gramian.cli.predict import predict
from gramian.cli.report import report
from gramian.cli.visible import visible_warnings

_INTERRUPTED = 130

app = typer.Typer(
    name="gramian",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"gramian {gramian.__version__}\n")
        raise typer.Exit


@app.callback()
def start(
    _: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """Turn a table into a tested model and an HTML report."""


for command in (fit, compare, predict, report, explain, export, models, doctor):
    app.command()(command)


def run_app(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code: 0 success, 1 stopped or failed, 2 wrong input."""
    try:
        with visible_warnings():
            app(args=arguments)
    except SystemExit as done:  # how Typer returns; 130 is Ctrl-C
        code = done.code if isinstance(done.code, int) else 0
        return 1 if code == _INTERRUPTED else code
    except (ValueError, MissingExtra) as error:
        complain(name_flags(" ".join(str(error).split())))
        return 2
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{error.strerror or error}.")
        return 2
    except MemoryError:
        complain("not enough memory; set a limit, for example --memory 2GB.")
        return 1
    except KeyboardInterrupt:
        return 1
    return 0
