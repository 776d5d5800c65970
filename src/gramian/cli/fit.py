"""``gramian fit``: from a table to a compared, tested model and a report."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Context, Exit, Option

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.base.files.reading import read_own
from gramian.base.files.writing import written_whole
from gramian.cli.budget import budget_line, default_budget
from gramian.cli.console import (
    between,
    complain,
    emit,
    emit_json,
    open_page,
    say,
    table_of,
    watching,
)
from gramian.cli.costs import read_costs, show_costs
from gramian.cli.large import check_options, connect, is_large, open_large, searching_on
from gramian.cli.options import (
    Alpha,
    Categorical,
    Data,
    Drop,
    Example,
    Groups,
    Json,
    Open,
    Seed,
    Sheet,
    Target,
    Threads,
    Weights,
    names,
)

if TYPE_CHECKING:
    from gramian.data.reading import LoadedTable
    from gramian.scale import LargeTable
    from gramian.study import Settings, Study
    from gramian.study.contents import LabelContents

_LABELS = 20  # maximum number of labels to print
_INPUT = "input"  # standard input, kept for --resume
_WITH_RESUME = ("resume", "threads", "open_report", "json")  # options that do not change the result


def fit(
    context: Context,
    data: Data = None,
    target: Target = None,
    labels: Annotated[
        Path | None, Option(help="XML file in Mulan's format that lists the labels to predict.")
    ] = None,
    example: Example = None,
    sheet: Sheet = None,
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
        str | None,
        Option(
            help="Time limit of the search, such as 5m, or none; the default depends on the table."
        ),
    ] = None,
    seed: Seed = 0,
    alpha: Alpha = 0.05,
    test: Annotated[float, Option(help="Fraction of rows to hold out for the final test.")] = 0.2,
    drop: Drop = None,
    categorical: Categorical = None,
    groups: Groups = None,
    time: Annotated[
        str | None,
        Option(help="Column to order the rows by time; the latest rows become the test set."),
    ] = None,
    weights: Weights = None,
    costs: Annotated[
        Path | None,
        Option(
            help="CSV file of costs, with class names: a row per decision, a column per true class."
        ),
    ] = None,
    reject: Annotated[
        float | None, Option(min=0.0, help="Cost of rejecting a row (making no decision).")
    ] = None,
    memory: Annotated[
        str | None, Option(help="Memory limit, such as 4GB; larger tables are sampled.")
    ] = None,
    chunks: Annotated[
        bool | None,
        Option(
            "--chunks/--no-chunks",
            help="Train in chunks (supported models only); the default depends on the file's size.",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        Option(
            help="Address of a Dask scheduler, such as tcp://host:8786, to train in chunks or, "
            "with --no-chunks, to run the folds of the search."
        ),
    ] = None,
    threads: Threads = None,
    open_report: Open = False,
    json: Json = False,
) -> None:
    """Tune, compare and test models on a table, and write a report.

    Creates a run directory with the model, the result and the report. The last line printed is
    the path of the report.
    """
    from gramian.cli.tables import CommandInput, label_columns, read_data
    from gramian.report import render
    from gramian.scale import ClusterError
    from gramian.study import Settings, run
    from gramian.study.run_folder import (
        remove_if_nothing_done,
        write_run,
        write_study,
        write_training,
        write_whole,
    )

    if threads is not None:
        gramian.set_num_threads(threads)
    table: LoadedTable
    rows: Any  # the table, or a LargeTable
    before: list[str] = []  # printed before the search starts
    flags = _flags_used(context)
    if resume is not None:
        _check_alone(flags)
        rows, settings = _resumed(resume)
        table, folder = getattr(rows, "table", rows), resume
    else:
        decided = read_costs(costs)
        settings = Settings(
            target=target, task=task, metric=metric, evals=evals, budget=budget,  # type: ignore[arg-type]
            seed=seed, alpha=alpha, test_size=test, models=names(models), drop=names(drop) or (),
            categorical=names(categorical) or (), groups=groups, time=time,
            weights=weights, costs=decided.costs, cost_classes=decided.classes, reject=reject,
            memory=memory,  # type: ignore[arg-type]
        )  # fmt: skip
        if example is not None and chunks:
            raise ParameterError("--chunks cannot be used with --example; leave it out.")
        if data is not None and example is None and is_large(data, chunks, dask):
            check_options(flags, settings)
            client = None if dask is None else context.with_resource(connect(dask))
            rows = open_large(data, settings, client)
            source = CommandInput(rows.table, target, str(Path(data).resolve()))
            several: tuple[str, ...] = ()
        else:
            source = read_data(data, example, target, sheet=sheet)
            target, several = label_columns(source, labels)
            rows = source.table
            if dask is not None and (several or task == "clustering"):
                raise ParameterError(
                    "--dask cannot be used for several labels or for clustering; leave it out."
                )
        table, limit = source.table, settings.budget
        if budget is None and evals is None:
            limit = default_budget(*table.frame.shape)
            before.append(budget_line(limit, *table.frame.shape))
        settings = replace(settings, target=target, labels=several, budget=limit)
        folder = _folder(out, table.name)
        if source.piped is not None:
            with written_whole(folder / _INPUT) as file:
                file.write(source.piped)
        command = shlex.join(["gramian", *sys.argv[1:]])
        write_run(folder, settings, table, source.source, command, chunks=rows is not table)
    printed: list[str] = []

    def announce(lines: list[str]) -> None:
        for line in (*lines, *before):
            say(line)
        printed.extend(lines)

    try:
        with watching(quiet=json) as watch, searching_on(dask if rows is table else None):
            study = run(
                rows,
                folder=folder,
                watch=watch,
                announce=None if json else announce,
                **_fields(settings),
            )
    except ClusterError as error:
        if resume is None:
            remove_if_nothing_done(folder)
        complain(str(error))
        raise Exit(1) from None
    except ValueError as error:
        if resume is None:
            remove_if_nothing_done(folder)
        # A workbook may have the table on another sheet.
        sheets = [note for note in table.notes if note.startswith("read sheet")]
        raise (
            DataError(f"{error} It is from {sheets[0].removeprefix('read ')}.") if sheets else error
        ) from None
    except KeyboardInterrupt:
        say(f"Stopped; finished work is saved. Resume with: gramian fit --resume {folder}")
        raise Exit(1) from None
    write_training(folder, table, study.model)
    write_study(folder, study)
    page = write_whole(folder / "report.html", render(study.contents))
    if json:
        emit_json(study.result)
    else:
        show(study, printed)
        emit(str(page))
    if open_report:
        open_page(page)


def show(study: "Study", printed: list[str]) -> None:
    """Print a summary of the study, without the lines already printed."""
    from gramian.study.announcement import by_severity, issue_line
    from gramian.study.contents import LabelContents, SupervisedContents
    from gramian.study.findings.p_values import p_text

    contents = study.contents
    if isinstance(contents, SupervisedContents):
        cost_table = None if contents.costs is None else contents.costs.table
        if cost_table is not None:
            show_costs(cost_table, list(contents.classes))
    for line in map(issue_line, by_severity(list(contents.checks))):
        if line not in printed:
            say(line)
    if isinstance(contents, LabelContents):
        _show_labels(contents)
    if isinstance(contents, SupervisedContents):
        main = contents.run.metric
        rows = [
            [
                row.name,
                f"{row.metrics[main].mean:z.4f}",
                between(row.metrics[main].low, row.metrics[main].high),
                "" if row.is_winner else p_text(row.p_best, contents.run.alpha),
                f"{row.fit_seconds:.2f}",
            ]
            for row in contents.leaderboard
        ]
        say("")
        table_of(["model", main, "interval", "p vs best", "fit (s)"], rows, {1, 3, 4})
        say("")
    for text in contents.headline:
        say(f"Serious: {text}")
    for sentence in contents.verdict:
        say(sentence)
    if not contents.run.complete:
        say("The search reached its time limit, so another machine may give a different result.")


def _show_labels(contents: "LabelContents") -> None:
    """Print the learners and the labels of a multi-label study."""
    from gramian.study.findings.p_values import p_text

    found, main = contents.labelling, contents.run.metric
    rows = [
        [
            row.name,
            f"{row.mean:.4f}",
            between(row.low, row.high),
            "" if row.p_best is None else p_text(row.p_best, contents.run.alpha),
            f"{row.fit_seconds:.2f}",
        ]
        for row in found.learners
    ]
    say("")
    table_of(["learner", main, "interval", "p vs best", "fit (s)"], rows, {1, 3, 4})
    labels = [
        [each.label, str(each.rows), f"{each.precision:.2f}", f"{each.recall:.2f}",
         f"{each.f1:.2f}"]
        for each in sorted(found.labels, key=lambda each: -each.f1)[:_LABELS]
    ]  # fmt: skip
    say("")
    table_of(["label", "rows", "precision", "recall", "F1"], labels, {1, 2, 3, 4})
    if len(found.labels) > _LABELS:
        say(f"The report lists all {len(found.labels)} labels.")
    say("")


def _fields(settings: "Settings") -> dict[str, Any]:
    return {name: getattr(settings, name) for name in settings.__dataclass_fields__}


def _folder(out: Path | None, name: str) -> Path:
    from gramian.study.run_folder import given_folder, new_folder

    if out is None:
        return new_folder(Path(), name)
    if out.exists():
        raise DataError(f"{out}: already exists; choose another --out, or use --resume {out}.")
    return given_folder(out)


def _flags_used(context: Context) -> dict[str, str]:
    """Return the options on the command line, by name, with their flags."""
    return {
        option.name: option.opts[0] if option.opts[0].startswith("-") else "the table"
        for option in context.command.params
        if option.name is not None
        and getattr(context.get_parameter_source(option.name), "name", "") == "COMMANDLINE"
    }


def _check_alone(flags: dict[str, str]) -> None:
    """Raise if --resume comes with arguments that would have no effect."""
    others = [flag for name, flag in flags.items() if name not in _WITH_RESUME]
    if others:
        raise ParameterError(
            "--resume continues a run with the table and settings it started with; "
            f"leave out {', '.join(others)}."
        )


def _resumed(folder: Path) -> tuple["LoadedTable | LargeTable", "Settings"]:
    from gramian.cli.tables import read_data
    from gramian.data.reading import parse_table
    from gramian.scale import LargeTable
    from gramian.study import Settings
    from gramian.study.run_folder import read_run

    asked = read_run(folder)
    try:
        source, sheet = str(asked["data"]["source"]), asked["data"].get("sheet")
        sha256, settings = asked["data"]["sha256"], Settings.of(asked["settings"])
    except (AttributeError, LookupError, TypeError) as error:
        raise DataError(f"{folder}: run.toml is damaged ({error!r}); start a new run.") from None
    rows: Any
    if asked["data"].get("chunks"):
        rows = LargeTable(source, settings)
        table = rows.table
    elif source == "-":
        table = parse_table(read_own(folder / _INPUT), "standard input", sheet=sheet)
    elif source.startswith("example:"):
        table = read_data(None, source.removeprefix("example:"), None).table
    else:
        table = read_data(source, None, None, sheet=sheet).table
    rows = rows if asked["data"].get("chunks") else table
    if table.sha256 != sha256:
        raise DataError(f"{source}: the data has changed since the run started; start a new run.")
    return rows, settings
