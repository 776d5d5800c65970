"""``gramian fit``: from a table to a compared, tested model and a report."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Exit, Option

import gramian
from gramian.base.errors import DataError
from gramian.cli.console import emit, emit_json, say, table_of, watching
from gramian.cli.options import (
    Data,
    Example,
    Json,
    Seed,
    Target,
    Threads,
    cost_table,
    names,
    number_of_bytes,
    seconds,
)
from gramian.cli.tables import read_data
from gramian.data.reading import LoadedTable, parse_table
from gramian.report import render
from gramian.study import Settings, Study, run
from gramian.study.announcement import by_severity, issue_line
from gramian.study.problem.problem import Issue
from gramian.study.run_folder import (
    given_folder,
    new_folder,
    read_run,
    remove_if_nothing_done,
    write_run,
    write_study,
    write_whole,
)

_INPUT = "input"  # standard input, kept for --resume


def fit(
    data: Data = None,
    target: Target = None,
    example: Example = None,
    out: Annotated[
        Path | None, Option(help="New folder for the run; the default is named after the table.")
    ] = None,
    resume: Annotated[Path | None, Option(help="Run directory to resume.")] = None,
    task: Annotated[str, Option(help="auto, classification, regression or clustering.")] = "auto",
    metric: Annotated[
        str | None,
        Option(help="Metric to select models by, such as accuracy, log_loss, r2 or rmse."),
    ] = None,
    models: Annotated[
        str | None, Option(help="Models to try, separated by commas; see `gramian models`.")
    ] = None,
    evals: Annotated[
        int | None, Option(min=1, help="Total number of parameter settings to try.")
    ] = None,
    budget: Annotated[
        str | None, Option(help="Time limit, such as 5m; the result then depends on the machine.")
    ] = None,
    seed: Seed = 0,
    alpha: Annotated[float, Option(help="Significance level of the tests.")] = 0.05,
    test: Annotated[float, Option(help="Fraction of the rows held out for the final test.")] = 0.2,
    drop: Annotated[str | None, Option(help="Columns to drop, separated by commas.")] = None,
    groups: Annotated[
        str | None, Option(help="Column of groups; rows of a group stay together in every split.")
    ] = None,
    time: Annotated[
        str | None,
        Option(help="Column that orders the rows in time; the latest rows are the test set."),
    ] = None,
    weights: Annotated[str | None, Option(help="Column of row weights.")] = None,
    costs: Annotated[
        Path | None,
        Option(help="CSV file of costs: a row per decision, a column per true class."),
    ] = None,
    reject: Annotated[
        float | None, Option(min=0.0, help="Cost of rejecting a row (making no decision).")
    ] = None,
    memory: Annotated[
        str | None, Option(help="Memory limit, such as 4GB; rows are sampled to stay below.")
    ] = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Search, compare and test models for a table, and write a report.

    Writes a new run directory with the model, the result and the report, and prints the path of
    the report last.
    """
    if threads is not None:
        gramian.set_num_threads(threads)
    if resume is not None:
        table, settings = _resumed(resume)
        folder = resume
    else:
        given = read_data(data, example, target)
        table = given.table
        settings = Settings(
            target=given.target, task=task, metric=metric, evals=evals,  # type: ignore[arg-type]
            budget=seconds(budget), seed=seed, alpha=alpha, test_size=test,
            models=names(models), drop=names(drop) or (), groups=groups, time=time,
            weights=weights, costs=cost_table(costs), reject=reject,
            memory=number_of_bytes(memory),
        )  # fmt: skip
        folder = _folder(out, table)
        if given.piped is not None:
            (folder / _INPUT).write_bytes(given.piped)
        write_run(folder, settings, table, given.source, shlex.join(["gramian", *sys.argv[1:]]))
    said: list[str] = []

    def announce(lines: list[str]) -> None:
        for line in lines:
            say(line)
        said.extend(lines)

    try:
        with watching(quiet=json) as watch:
            study = run(
                table,
                folder=folder,
                watch=watch,
                announce=None if json else announce,
                **_fields(settings),
            )
    except ValueError:
        if resume is None:
            remove_if_nothing_done(folder)
        raise
    except KeyboardInterrupt:
        say(f"Stopped; finished work is kept. Resume with: gramian fit --resume {folder}")
        raise Exit(1) from None
    write_study(folder, study)
    page = write_whole(folder / "report.html", render(study.contents))
    if json:
        emit_json(study.result)
    else:
        show(study, said)
        emit(str(page))


def show(study: Study, said: list[str]) -> None:
    """Print a summary of the study, without the lines that were said before the search."""
    contents = study.contents
    for line in map(issue_line, by_severity([Issue(**c) for c in contents["checks"]])):
        if line not in said:
            say(line)
    if "leaderboard" in contents:
        main = contents["run"]["metric"]
        rows = [
            [
                row["name"],
                f"{row['metrics'][main]['mean']:.4f}",
                _between(row["metrics"][main]),
                "" if row["p_best"] == 1.0 and row["is_winner"] else f"{row['p_best']:.2g}",
                f"{row['fit_seconds']:.2f}",
            ]
            for row in contents["leaderboard"]
        ]
        say("")
        table_of(["model", main, "interval", "p vs best", "fit (s)"], rows, {1, 3, 4})
        say("")
    for text in contents["headline"]:
        say(f"Serious: {text}")
    for sentence in contents["verdict"]:
        say(sentence)
    if not contents["run"]["complete"]:
        say("The time budget ran out during the search; the result depends on this machine.")


def _between(found: dict[str, Any]) -> str:
    if found["low"] is None or found["high"] is None:
        return ""
    return f"{found['low']:.4f} to {found['high']:.4f}"


def _fields(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in settings.__dataclass_fields__}


def _folder(out: Path | None, table: LoadedTable) -> Path:
    if out is None:
        return new_folder(Path(), table.name)
    if out.exists():
        raise DataError(f"{out}: it exists already; choose another --out, or use --resume {out}.")
    return given_folder(out)


def _resumed(folder: Path) -> tuple[LoadedTable, Settings]:
    asked = read_run(folder)
    source = asked["data"]["source"]
    if source == "-":
        table = parse_table((folder / _INPUT).read_bytes(), "standard input")
    elif source.startswith("example:"):
        table = read_data(None, source.removeprefix("example:"), None).table
    else:
        table = read_data(source, None, None).table
    if table.sha256 != asked["data"]["sha256"]:
        raise DataError(f"{source}: the data has changed since the run started; start a new run.")
    return table, Settings.of(asked["settings"])
