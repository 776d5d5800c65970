"""``gramian predict``: predict new rows with a saved model."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

import gramian
from gramian.base.errors import need
from gramian.cli.console import emit, emit_json, say
from gramian.cli.options import Json, Sheet, Threads

if TYPE_CHECKING:
    from gramian.study.using import Predictions


def predict(
    model: Annotated[Path, Argument(help="Model file: model.gram in a run directory.")],
    data: Annotated[str, Argument(help="Table of new rows; - reads standard input.")],
    out: Annotated[
        Path | None, Option(help="File to write, .csv or .parquet; - writes to standard output.")
    ] = None,
    sheet: Sheet = None,
    probabilities: Annotated[bool, Option(help="Write the probability of each class.")] = True,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Predict new rows with a saved model.

    Writes one line per row: the prediction, the class probabilities and, for a model with a reject
    option, whether the row is rejected. An existing file is never overwritten.
    """
    from gramian.cli.tables import read_data
    from gramian.study.run_folder import unused_path
    from gramian.study.using import load_model, predict_table

    if threads is not None:
        gramian.set_num_threads(threads)
    loaded = load_model(model)
    given = read_data(data, None, None, sheet=sheet, parse=False)
    found = predict_table(loaded, given.table.frame)
    for note in found.notes:
        say(note)
    frame = _frame(found, probabilities)
    if str(out) == "-":
        sys.stdout.write(frame.write_csv())
        return
    path = unused_path(Path(f"{given.table.name}-predictions.csv") if out is None else out)
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path)
    rejected = 0 if found.rejected is None else int(found.rejected.sum())
    if json:
        emit_json({"rows": frame.height, "rejected": rejected, "path": str(path)})
        return
    say(f"{frame.height} rows predicted" + (f", {rejected} rejected." if rejected else "."))
    emit(str(path))


def _frame(found: "Predictions", probabilities: bool) -> Any:
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
    return pl.DataFrame(columns, strict=False)
