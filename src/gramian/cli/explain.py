"""``gramian explain``: explain the prediction of one row."""

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from gramian.cli.console import emit, emit_json, emit_table, say
from gramian.cli.options import Json, Sheet
from gramian.cli.visible import visible

_ROUNDING = 1e-12  # relative to the prediction


def explain(
    model: Annotated[Path, Argument(help="Model file: model.gram in a run directory.")],
    data: Annotated[
        str, Argument(help="Table that contains the row, and other rows to compare it with.")
    ],
    row: Annotated[int, Option(help="Index of the row; the first is 0.")],
    sheet: Sheet = None,
    most: Annotated[int, Option(min=1, help="Maximum number of columns to show.")] = 10,
    json: Json = False,
) -> None:
    """Show the effect of each column on the prediction for one row.

    The effect of a column is how much its value raises or lowers the prediction (for
    classification, the probability of the predicted class), compared with the values in other rows
    of this column. The mean prediction over the table is printed for reference.
    """
    import numpy as np

    from gramian.cli.tables import read_data
    from gramian.report.formatting import number
    from gramian.study.contents.serialize import plain
    from gramian.study.using import base_value, load_model
    from gramian.study.using import explain as explain_model

    loaded = load_model(model)
    command_input = read_data(data, None, None, sheet=sheet, parse=False)
    found, effects = explain_model(loaded, command_input.table.frame, row)
    value = found.values.tolist()[0]
    place = None if found.proba is None else int(found.proba[0].argmax())
    base = base_value(loaded, command_input.table.frame)
    average = float(base) if place is None else float(base[place])
    values = {
        "row": row,
        "prediction": value,
        "probabilities": None
        if found.proba is None
        else dict(zip(found.classes, found.proba[0].tolist(), strict=True)),
        "base": base.tolist(),
        "effects": effects[:most],
    }
    if json:
        emit_json(plain(values))
        return
    emit(visible(f"row {row}: {number(value)}"))
    if found.proba is not None and place is not None:
        shown = number(float(found.proba[0, place]))
        emit(visible(f"probability of {found.classes[place]}: {shown}"))
    emit(f"mean over the table: {number(average)}")
    rows = []
    for item in effects[:most]:
        effect = float(np.atleast_1d(item.effect)[place or 0])
        effect = 0.0 if abs(effect) < _ROUNDING * max(1.0, abs(average)) else effect
        sign = "−" if effect < 0 else "+" if effect > 0 else ""
        rows.append([item.column, _shown(item.value), f"{sign}{number(abs(effect))}"])
    emit_table(["column", "value", "effect"], rows, {2})
    what = "the prediction" if place is None else f"the probability of {found.classes[place]}"
    say(
        f"Effect: how much the value raises or lowers {what}, compared with the values in other "
        "rows of this column."
    )
    if len(effects) > most:
        more = len(effects) - most
        say("and 1 more column" if more == 1 else f"and {more} more columns")


def _shown(value: Any) -> str:
    """Return a value without thousands separators, which would look odd in a year.

    Examples
    --------
    >>> _shown(2026), _shown("Bonn, Rhein")
    ('2026', 'Bonn, Rhein')
    """
    from gramian.report.formatting import number

    shown = number(value, 6)
    return shown if isinstance(value, str) else shown.replace(",", "")
