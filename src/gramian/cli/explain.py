"""``gramian explain``: why a model says what it says of one row."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from gramian.cli.console import emit, emit_json, emit_table, say
from gramian.cli.options import Json
from gramian.cli.tables import read_data
from gramian.study.using import explain as explain_model
from gramian.study.using import load_model


def explain(
    model: Annotated[Path, Argument(help="Model file, model.gram of a run directory.")],
    data: Annotated[str, Argument(help="Table with the row, and others to compare it with.")],
    row: Annotated[int, Option(help="Number of the row, counted from 0.")],
    most: Annotated[int, Option(min=1, help="Most columns to show.")] = 10,
    json: Json = False,
) -> None:
    """Say how far each column moves the prediction of one row.

    The value of a column is replaced by those of other rows of the table; its effect is how far
    the prediction then falls on the average (for classes, the probability of the one predicted).
    """
    loaded = load_model(model)
    given = read_data(data, None, None)
    said, effects = explain_model(loaded, given.table.frame, row)
    value = said.values.tolist()[0]
    place = None if said.proba is None else int(said.proba[0].argmax())
    plain = {
        "row": row,
        "prediction": value,
        "probabilities": None
        if said.proba is None
        else dict(zip(said.classes, said.proba[0].tolist(), strict=True)),
        "effects": effects[:most],
    }
    if json:
        emit_json(plain)
        return
    emit(f"row {row}: {value}")
    if said.proba is not None and place is not None:
        emit(f"probability of {said.classes[place]}: {said.proba[0, place]:.4g}")
    rows = []
    for item in effects[:most]:
        effect = item["effect"] if place is None else item["effect"][place]
        rows.append([item["column"], str(item["value"]), f"{effect:+.4g}"])
    emit_table(["column", "value", "effect"], rows, {2})
    if len(effects) > most:
        say(f"and {len(effects) - most} more columns")
