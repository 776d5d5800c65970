"""A confusion matrix: rows are true classes, columns are predicted classes."""

from collections.abc import Sequence

from gramian.report.formatting import percent
from gramian.report.view import View

_SHADES = 5


def confusion(
    counts: Sequence[Sequence[int]],
    classes: list[str],
    most: int,
    rejected: Sequence[int] | None = None,
) -> View:
    """Return the table with proportions of each row; beyond `most` classes, the rarest are joined.

    Rejected rows, if rejecting is allowed, have a column of their own.

    Examples
    --------
    >>> table = confusion([[3, 1], [0, 4]], ["no", "yes"], 9)
    >>> [cell["count"] for cell in table["rows"][0]["cells"]], table["rows"][0]["recall"]
    ([3, 1], '75%')
    """
    lost = rejected or [0] * len(classes)
    labels, table, lost = _joined(counts, lost, classes, most)
    predicted = [sum(row[k] for row in table) for k in range(len(labels))]
    return {
        "labels": labels,
        "rows": [
            {
                "label": label,
                "cells": [
                    {
                        "count": count,
                        "share": f"{100 * count / total:.0f}%" if total else "",
                        "shade": _shade(count, total),
                        "right": i == k,
                    }
                    for k, count in enumerate(row)
                ],
                "recall": percent(row[i] / total) if total else "–",
                "rejected": lost[i],
            }
            for i, (label, row) in enumerate(zip(labels, table, strict=True))
            for total in [sum(row) + lost[i]]
        ],
        "has_rejected": rejected is not None,
        "precision": [
            percent(table[k][k] / total) if total else "–" for k, total in enumerate(predicted)
        ],
        "joined": len(classes) - len(labels) + 1 if len(labels) < len(classes) else 0,
    }


def _shade(count: int, total: int) -> int:
    return min(_SHADES, 1 + int(_SHADES * count / total)) if count else 0


def _joined(
    counts: Sequence[Sequence[int]], rejected: Sequence[int], classes: list[str], most: int
) -> tuple[list[str], Sequence[Sequence[int]], Sequence[int]]:
    if len(classes) <= most:
        return classes, counts, rejected
    totals = [sum(row) for row in counts]
    kept = sorted(sorted(range(len(classes)), key=lambda k: -totals[k])[: most - 1])
    place = {k: i for i, k in enumerate(kept)}
    table = [[0] * most for _ in range(most)]
    lost = [0] * most
    for i, row in enumerate(counts):
        at = place.get(i, most - 1)
        lost[at] += rejected[i]
        for k, count in enumerate(row):
            table[at][place.get(k, most - 1)] += count
    return [*(classes[k] for k in kept), f"{len(classes) - most + 1} others"], table, lost
