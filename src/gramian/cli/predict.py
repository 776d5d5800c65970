"""``gramian predict``: predict new rows with a saved model."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

import gramian
from gramian.base.errors import DataError, ParameterError, need
from gramian.base.files.writing import named_errors
from gramian.cli.console import emit, emit_json, say
from gramian.cli.costs import read_costs, show_costs
from gramian.cli.options import Json, Sheet, Threads, names
from gramian.cli.visible import is_terminal, visible_lines
from gramian.cli.writing import check_columns, check_suffix, safe_cells, with_numbers, write_table

if TYPE_CHECKING:
    from gramian.study.drift import Drift
    from gramian.study.using import Predictions


def predict(
    model: Annotated[Path, Argument(help="Run directory, or the model.gram in it.")],
    data: Annotated[str, Argument(help="Table of new rows; - reads standard input.")],
    out: Annotated[
        Path | None,
        Option(help="File to write, .csv, .tsv, .parquet or .xlsx; - writes to standard output."),
    ] = None,
    sheet: Sheet = None,
    threshold: Annotated[
        float | None,
        Option(help="Predict the positive class at or above this probability."),
    ] = None,
    positive: Annotated[
        str | None,
        Option(help="Class that --threshold applies to; the default is the second class."),
    ] = None,
    costs: Annotated[
        Path | None, Option(help="CSV file of costs to decide by, as in `gramian fit`.")
    ] = None,
    reject: Annotated[
        float | None, Option(min=0.0, help="Cost of rejecting a row (making no decision).")
    ] = None,
    keep: Annotated[
        str | None, Option(help="Input columns to include in the output, separated by commas.")
    ] = None,
    append: Annotated[
        bool, Option("--append", help="Include all input columns in the output.")
    ] = False,
    safe_csv: Annotated[
        bool | None,
        Option(
            "--safe-csv/--no-safe-csv",
            help="Put a single quote before text that begins with = + - @, so that a spreadsheet "
            "does not run it as a formula; the default is yes for files, no for standard output.",
        ),
    ] = None,
    probabilities: Annotated[bool, Option(help="Write the probability of each class.")] = True,
    drift: Annotated[bool, Option(help="Compare the rows with the training table.")] = True,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Predict new rows with a saved model.

    Writes one line per row: the columns to keep, the prediction, the class probabilities and, for a
    model with a reject option, whether the row is rejected. An existing file is never overwritten.
    The rows are then compared with the training table: unseen categories, values out of range,
    missing values and distributions.
    """
    from gramian.cli.tables import read_data
    from gramian.study.problem.costs import costs_in_order
    from gramian.study.run_folder import unused_path
    from gramian.study.using import load_model, predict_table

    if threads is not None:
        gramian.set_num_threads(threads)
    if out is not None and str(out) != "-":
        check_suffix(out)
    loaded, decided = load_model(model), read_costs(costs)
    command_input = read_data(data, None, None, sheet=sheet, parse=False)
    kept = _kept(command_input.table.frame, keep, append)
    check_columns(kept, out, "--append" if append else "--keep")
    if out is not None and out.suffix.lower() in (".xlsx", ".parquet"):
        kept = with_numbers(kept)  # these formats have types, unlike CSV
    found = predict_table(
        loaded, command_input.table.frame, threshold=threshold, positive=positive,
        costs=decided.costs, cost_classes=decided.classes, reject=reject,
    )  # fmt: skip
    frame = _frame(found, kept, probabilities)
    compared = _compared(model, found.table) if drift else None
    for note in found.notes:
        if compared is None or "unseen" not in note:
            say(note)
    if decided.costs is not None:
        show_costs(costs_in_order(*decided, found.labels), found.classes)
    if str(out) == "-":
        written = (safe_cells(frame) if safe_csv else frame).write_csv()
        with named_errors(Path("standard output")):
            sys.stdout.write(visible_lines(written) if is_terminal() else written)
            sys.stdout.flush()
    else:
        path = unused_path(
            Path(f"{command_input.table.name}-predictions.csv") if out is None else out
        )
        write_table(frame, path, safe=safe_csv is not False)
    rejected = 0 if found.rejected is None else int(found.rejected.sum())
    if json and str(out) != "-":
        findings = {} if compared is None else {"drift": compared.findings}
        emit_json({"rows": frame.height, "rejected": rejected, "path": str(path), **findings})
        return
    rows = "1 row" if frame.height == 1 else f"{frame.height} rows"
    say(f"{rows} predicted" + (f", {rejected} rejected." if rejected else "."))
    for sentence in [] if compared is None else compared.sentences():
        say(sentence)
    if str(out) != "-":
        emit(str(path))


def _compared(model: Path, frame: Any) -> "Drift | None":
    """Compare the rows with the summary next to the model; None if there is none."""
    from gramian.study.drift import compare_columns, read_summary
    from gramian.study.run_folder import TRAINING
    from gramian.study.using import model_path

    path = model_path(model).parent / TRAINING
    training = read_summary(path)
    if training is None:
        return None
    try:
        return compare_columns(training, frame)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        say(f"{path}: the rows cannot be compared with this file ({error!r}).")
        return None


def _kept(frame: Any, keep: str | None, append: bool) -> Any:
    """Return the columns of the table that go next to the predictions."""
    if keep is not None and append:
        raise ParameterError("--keep and --append cannot both be used; --append keeps all columns.")
    if append:
        return frame
    wanted = list(dict.fromkeys(names(keep) or ()))
    absent = [name for name in wanted if name not in frame.columns]
    if absent:
        shown = ", ".join(map(repr, frame.columns[:8])) + (", ..." if frame.width > 8 else "")
        raise DataError(f"--keep: there is no column {absent[0]!r}; the columns are {shown}.")
    return frame.select(wanted)


def _frame(found: "Predictions", kept: Any, probabilities: bool) -> Any:
    pl = need("polars", extra="app")
    columns: dict[str, Any] = {"prediction": found.values.tolist()}
    if found.rejected is not None:
        # A rejected row has no prediction: the cell is empty.
        pairs = zip(columns["prediction"], found.rejected.tolist(), strict=True)
        columns["prediction"] = [None if no else value for value, no in pairs]
        columns["rejected"] = found.rejected.tolist()
    if probabilities and found.proba is not None:
        for k, label in enumerate(found.classes):
            columns[f"p({label})"] = found.proba[:, k].tolist()
    named = {_unused(name, kept.columns): values for name, values in columns.items()}
    return pl.concat([kept, pl.DataFrame(named, strict=False)], how="horizontal")


def _unused(name: str, used: list[str]) -> str:
    """Return the name, or one with a number if a kept column has it."""
    number, free = 1, name
    while free in used:
        number += 1
        free = f"{name}_{number}"
    return free
