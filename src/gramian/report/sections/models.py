"""Model by model: out-of-fold predictions."""

from collections.abc import Sequence

from gramian.report.drawing import Plane, plane, span
from gramian.report.formatting import cut, decimals, duration, fixed, number, percent
from gramian.report.limits import Limits
from gramian.report.sections.commands import predict_command
from gramian.report.sections.confusion import confusion
from gramian.report.view import View
from gramian.study.contents import SupervisedContents
from gramian.study.contents.leaderboard import LeaderboardRow
from gramian.study.contents.models import (
    Band,
    ClassCurves,
    ClassPredictions,
    Confidence,
    Decile,
    NumberPredictions,
    Points,
)

_UNIT = (0.0, 1.0)


def models(contents: SupervisedContents, limits: Limits) -> View:
    """Return a panel for each of the best models, and the counts the sliders need."""
    rows = [r for r in contents.leaderboard if r.name in contents.models]
    shown = rows[: limits.models]
    classes = [cut(label, 30) for label in contents.classes]
    most = max(1, limits.panels // max(1, len(shown)))
    panels = []
    drawn: dict[str, ClassCurves] = {}  # by key
    left_out = 0
    for number_, row in enumerate(shown):
        found = contents.models[row.name]
        name = f"m{number_}"
        if isinstance(found, ClassPredictions):
            curves = {f"{name}c{c.class_}": c for c in found.curves[:most]}
            drawn |= curves
            beyond = len(classes) - len(curves) if len(classes) > 2 and curves else 0
            left_out = max(left_out, beyond)
            panel = _classes(found, curves, classes, limits) | {"classes_left_out": beyond}
            tested = contents.test
            if row.is_winner and tested.confusion is not None:
                panel["tested"] = confusion(
                    tested.confusion, classes, limits.classes, tested.rejected
                )
        else:
            panel = _regression(found)
        panels.append(_facts(name, row) | panel)
    codes = {curve.class_ for curve in drawn.values()}
    return {
        "panels": panels,
        "left_out": len(rows) - len(shown),
        "is_regression": not classes,
        "target": cut(contents.run.target),
        "costs": _costs(contents, len(classes)),
        "by_costs": contents.costs is not None,
        "classes": [(k, label) for k, label in enumerate(classes) if k in codes],
        "thresholds": {key: _thresholds(curve) for key, curve in drawn.items()},
        "cost_plane": plane(_UNIT, _UNIT, ("threshold", "cost per row"), height=190, y_ticks=0)
        if drawn
        else None,
        # The page puts the threshold in.
        "command": predict_command("THRESHOLD", contents.classes[1])
        if drawn and len(classes) == 2
        else None,
        "many": left_out,
    }


def _facts(name: str, row: LeaderboardRow) -> View:
    return {
        "id": name,
        "name": row.name,
        "is_winner": row.is_winner,
        "is_baseline": row.is_baseline,
        "settings": [(k, number(v)) for k, v in row.params.items()],
        "tried": row.tried,
        "fit": duration(row.fit_seconds),
        "predict": duration(row.predict_seconds),
    }


# --- classes -----------------------------------------------------------------------------------


def _classes(
    found: ClassPredictions, curves: dict[str, ClassCurves], classes: list[str], limits: Limits
) -> View:
    return {
        "confusion": confusion(found.confusion, classes, limits.classes, found.rejected),
        "curves": [_curve(curve, classes, key) for key, curve in curves.items()],
        "confidence": None if found.histogram is None else _confidence(found.histogram),
    }


def _square(x_label: str, y_label: str) -> Plane:
    return plane(_UNIT, _UNIT, (x_label, y_label), height=300, width=340)


def _curve(curve: ClassCurves, classes: list[str], key: str) -> View:
    roc = _square("false positive rate", "true positive rate (recall)")
    pr = _square("recall", "precision")
    reliability = _square("predicted probability", "observed frequency")
    counts = curve.thresholds
    rows = counts.positives + counts.negatives
    points = curve.calibration
    largest = max(points.rows, default=1)
    return {
        "key": key,
        "class": classes[curve.class_],
        "auc": fixed(curve.auc, 3),
        "auc_interval": f"{fixed(curve.auc_low, 3)} to {fixed(curve.auc_high, 3)}",
        "average_precision": fixed(curve.average_precision, 3),
        "share": percent(counts.positives / rows),
        "share_y": pr.y(counts.positives / rows),
        "roc": _drawn(roc, curve.roc, curve.roc_band),
        "precision_recall": _drawn(
            pr, curve.precision_recall, curve.precision_recall_band, after=0.0
        ),
        "calibration": {
            "plane": reliability,
            "line": reliability.line(points.prob_pred, points.prob_true),
            "dots": [
                (reliability.x(a), reliability.y(b), round(2 + 5 * (n / largest) ** 0.5, 1), n)
                for a, b, n in zip(points.prob_pred, points.prob_true, points.rows, strict=True)
            ],
            "expected_error": fixed(points.expected_error, 3),
            "brier": fixed(points.brier, 3),
        },
        "diagonal": roc.line(_UNIT, _UNIT),
    }


def _drawn(chart: Plane, curve: Points, band: Band, *, after: float = -1.0) -> View:
    """Draw a curve with its band; points with x <= `after` are omitted."""
    points = [(x, y) for x, y in zip(curve.x, curve.y, strict=True) if x > after]
    return {
        "plane": chart,
        "line": chart.line([x for x, _ in points], [y for _, y in points]),
        "band": chart.band(band.x, band.low, band.high) if band.low else "",
    }


def _confidence(histogram: Confidence) -> View:
    """Draw rows by the highest probability: errors below, correct predictions on top."""
    edges, right, wrong = histogram.edges, histogram.right, histogram.wrong
    first = next((i for i, n in enumerate(zip(right, wrong, strict=True)) if sum(n)), 0)
    edges, right, wrong = edges[first:], right[first:], wrong[first:]
    both = [a + b for a, b in zip(right, wrong, strict=True)]
    chart = plane((edges[0], 1.0), (0, 1.05 * (max(both, default=1) or 1)),
                  ("highest probability", "rows"), height=200, width=340, y_ticks=3)  # fmt: skip
    return {"plane": chart, "all": chart.bars(edges, both), "wrong": chart.bars(edges, wrong)}


def _costs(contents: SupervisedContents, n_classes: int) -> View:
    """Return the costs of false positives and negatives: those given for two classes, else 1."""
    table = None if contents.costs is None else contents.costs.table
    if table is None or n_classes != 2:
        return {"false_alarm": 1, "miss": 1, "threshold": 0.5, "given": False, "most": 10,
                "step": 0.1}  # fmt: skip
    alarm, miss = table[1][0] - table[0][0], table[0][1] - table[1][1]
    threshold = alarm / (alarm + miss) if alarm > 0 and miss > 0 else 0.5
    most = 2 * max(alarm, miss, 1e-9)
    return {
        "false_alarm": alarm, "miss": miss, "threshold": round(threshold, 2), "given": True,
        "most": most, "step": most / 100,
    }  # fmt: skip


def _thresholds(curve: ClassCurves) -> View:
    """Return true and false positives at each threshold."""
    counts = curve.thresholds
    return {
        "hits": counts.true_positives,
        "alarms": counts.false_positives,
        "positives": counts.positives,
        "negatives": counts.negatives,
    }


# --- regression -----------------------------------------------------------------------------------


def _regression(found: NumberPredictions) -> View:
    true, predicted = found.dots.true, found.dots.predicted
    both = span([*true, *predicted])
    against = plane(both, both, ("predicted", "true"), height=320, width=340)
    residual = [a - b for a, b in zip(true, predicted, strict=True)]
    ends = span([*residual, 0.0])
    rest = plane(span(predicted), ends, ("predicted", "true − predicted"), height=320, width=340)
    edges, counts = found.residuals.edges, found.residuals.counts
    shape = plane((edges[0], edges[-1]), (0, 1.05 * max(counts)), ("true − predicted", "rows"),
                  height=240, width=340)  # fmt: skip
    return {
        "against": {
            "plane": against,
            "dots": against.dots(predicted, true),
            "even": against.line(both, both),
        },
        "residuals": {
            "plane": rest,
            "dots": rest.dots(predicted, residual),
            "zero": rest.line(span(predicted), (0, 0)),
        },
        "shape": {
            "plane": shape,
            "bars": shape.bars(edges, counts),
            "zero": shape.x(0.0) if edges[0] < 0 < edges[-1] else None,
        },
        "deciles": _deciles(found.deciles),
        "shown": len(true),
    }


def _deciles(deciles: Sequence[Decile]) -> list[View]:
    most = max((d.mean_absolute_error for d in deciles), default=1.0) or 1.0
    places = max(0, decimals([most]) - 1)
    return [
        {
            "range": f"{number(d.from_)} to {number(d.to)}",
            "rows": d.rows,
            "error": fixed(d.mean_error, places),
            "absolute": fixed(d.mean_absolute_error, places),
            "width": round(60 * d.mean_absolute_error / most, 1),
        }
        for d in deciles
    ]
