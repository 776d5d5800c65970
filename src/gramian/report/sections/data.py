"""The data profile: one line per column, and the target."""

from gramian.report.drawing import plane, sparkline
from gramian.report.formatting import cut, number, percent
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import Contents, SupervisedContents
from gramian.study.contents.columns import (
    CategoricalColumn,
    Column,
    DateColumn,
    NumericColumn,
    TextColumn,
)
from gramian.study.contents.target import NumericTarget

_WIDTH = 96  # of a histogram in the table
_FIRST = 25  # columns shown before "show all"
_CLASSES = 20


def data(contents: Contents, limits: Limits) -> View:
    """Return the rows of the profile, the number omitted, and a plot of the target."""
    rows = contents.run.data.rows_used
    every = contents.columns.shown
    shown = every[: limits.columns]
    kinds: dict[str, int] = {}
    for column in every:
        kinds[column.kind] = kinds.get(column.kind, 0) + 1
    return {
        "columns": [_line(column, rows) for column in shown],
        "first": _FIRST,
        "left_out": contents.columns.left_out + len(every) - len(shown),
        "kinds": sorted(kinds.items(), key=lambda item: -item[1]),
        "all_kinds": contents.columns.left_out == 0,
        "missing": sum(1 for column in every if column.missing),
        "target": _target(contents),
        "width": _WIDTH,
    }


def _line(column: Column, rows: int) -> View:
    line: View = {
        "name": cut(column.name, 60),
        "kind": column.kind,
        "reason": column.reason,
        "role": "target" if column.is_target else "used" if column.used else "left out",
        "missing": percent(column.missing / rows) if column.missing else "0",
        "missing_count": column.missing,
        "distinct": column.distinct,
        "path": "",
        "text": "",
    }
    if isinstance(column, NumericColumn):
        line["path"] = sparkline(column.histogram.edges, column.histogram.counts)
        ends = f"{number(column.least)} to {number(column.greatest)}"
        line["text"] = f"{ends}, median {number(column.median)}"
    elif isinstance(column, DateColumn):
        line["text"] = f"{column.first} to {column.last}"
    elif isinstance(column, TextColumn) and column.words:
        counts = [word.rows for word in column.words]
        line["path"] = sparkline(list(range(len(counts) + 1)), counts, 12 * len(counts))
        line["text"] = cut(", ".join(word.label for word in column.words), 60)
    elif isinstance(column, CategoricalColumn) and column.levels:
        counts = [level.rows for level in column.levels]
        line["path"] = sparkline(list(range(len(counts) + 1)), counts, 12 * len(counts))
        most = column.levels[0]
        line["text"] = f"{cut(most.label, 24)} in {percent(most.rows / rows)}"
    return line


def _target(contents: Contents) -> View | None:
    if not isinstance(contents, SupervisedContents):
        return None
    found = contents.target
    if isinstance(found, NumericTarget):
        edges, counts = found.histogram.edges, found.histogram.counts
        name = cut(contents.run.target)
        chart = plane((edges[0], edges[-1]), (0, 1.05 * max(counts)), (name, "rows"), height=220)
        return {"chart": chart, "bars": chart.bars(edges, counts)}
    classes = sorted(found.classes, key=lambda c: -c.rows)
    total = sum(c.rows for c in classes)
    return {
        "classes": [
            {
                "label": cut(c.label, 30),
                "rows": c.rows,
                "share": percent(c.rows / total),
                "width": round(100 * c.rows / classes[0].rows, 1),
            }
            for c in classes[:_CLASSES]
        ],
        "left_out": max(0, len(classes) - _CLASSES),
    }
