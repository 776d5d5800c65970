"""Errors of the model: the worst rows, and subgroups with a higher error."""

from collections.abc import Sequence

from gramian.report.drawing import Scale, span
from gramian.report.formatting import cut, number, p_value, percent
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import SupervisedContents
from gramian.study.contents.errors import Slice, WorstRow

_WIDTH = 110
_COLUMNS = 8


def errors(contents: SupervisedContents, _: Limits) -> View:
    """Return the tables of rows and of subgroups."""
    classify = contents.run.task == "classification"
    rows, parts = contents.worst_rows, contents.slices
    columns = list(rows[0].values)[:_COLUMNS] if rows else []
    return {
        "classify": classify,
        "columns": [(cut(c, 24), _kind(rows, c)) for c in columns],
        "rows": [
            {
                "row": row.row,
                "truth": cut(number(row.truth), 30),
                "predicted": cut(number(row.predicted), 30),
                "loss": row.loss,
                "loss_text": percent(1 - row.loss) if classify else number(row.loss),
                "values": [cut(number(row.values[c]), 30) for c in columns],
            }
            for row in rows
        ],
        "parts": _parts(parts, contents.run.alpha, classify=classify),
        "alpha": contents.run.alpha,
        "overall": (percent if classify else number)(parts[0].overall) if parts else None,
        "shown": sum(1 for p in parts if p.p_adjusted <= contents.run.alpha),
        "test_rows": contents.test.rows,
        "width": _WIDTH,
    }


def _kind(rows: Sequence[WorstRow], column: str) -> str:
    """Whether the values of a column are aligned as numbers."""
    known = [row.values[column] for row in rows if row.values[column] is not None]
    return "number" if all(isinstance(v, int | float) for v in known) else ""


def _parts(parts: Sequence[Slice], alpha: float, *, classify: bool) -> View | None:
    if not parts:
        return None
    write = percent if classify else number
    ends = [v for p in parts for v in (p.low, p.high, p.overall) if v is not None]
    scale = Scale(*span(ends), 4, _WIDTH - 4)
    return {
        "overall": scale(parts[0].overall),
        "rows": [
            {
                "column": cut(p.column, 30),
                "part": cut(p.part, 36),
                "rows": p.rows,
                "error": p.error,
                "error_text": write(p.error),
                "at": scale(p.error),
                "ends": scale.ends(p.low, p.high),
                "p": p.p_adjusted,
                "p_text": p_value(p.p_adjusted),
                "differs": p.p_adjusted <= alpha,
            }
            for p in parts
        ],
    }
