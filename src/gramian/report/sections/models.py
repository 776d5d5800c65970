"""Model by model: out-of-fold predictions."""

from typing import Any

from gramian.report.drawing import Plane, plane, span
from gramian.report.formatting import cut, decimals, duration, fixed, number, percent
from gramian.report.limits import Limits
from gramian.report.sections.commands import predict_command
from gramian.report.sections.confusion import confusion

_UNIT = (0.0, 1.0)
_SMALL: dict[str, Any] = {"height": 300, "width": 340}


def models(contents: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return a panel for each of the best models, and the counts the sliders need."""
    rows = [r for r in contents["leaderboard"] if r["name"] in contents["models"]]
    shown = rows[: limits.models]
    classes = [cut(c["label"], 30) for c in contents["target"].get("classes", [])]
    most = max(1, limits.panels // max(1, len(shown)))
    panels = []
    for number_, row in enumerate(shown):
        found = contents["models"][row["name"]]
        panel = {
            "id": f"m{number_}",
            "name": row["name"],
            "is_winner": row["is_winner"],
            "is_baseline": row["is_baseline"],
            "settings": [(k, number(v)) for k, v in row["params"].items()],
            "tried": row["tried"],
            "fit": duration(row["fit_seconds"]),
            "predict": duration(row["predict_seconds"]),
        }
        if classes:
            panel |= _classes(found, classes, limits, most, panel["id"])
            if row["is_winner"] and "confusion" in contents["test"]:
                tested = contents["test"]
                panel["tested"] = confusion(
                    tested["confusion"], classes, limits.classes, tested.get("rejected")
                )
        else:
            panel |= _regression(found)
        panels.append(panel)
    thresholds = _thresholds(contents, panels)
    return {
        "panels": panels,
        "left_out": len(rows) - len(shown),
        "is_regression": not classes,
        "target": cut(contents["run"]["target"]),
        "costs": _costs(contents, len(classes)),
        "by_costs": contents["costs"] is not None,
        "classes": _shown_classes(panels, classes),
        "thresholds": thresholds,
        "cost_plane": plane(_UNIT, _UNIT, ("threshold", "cost per row"), height=190, y_ticks=0)
        if thresholds
        else None,
        "command": _command(contents) if thresholds and len(classes) == 2 else None,
        "many": max((p.get("classes_left_out", 0) for p in panels), default=0),
    }


# --- classes -----------------------------------------------------------------------------------


def _classes(
    found: dict[str, Any], classes: list[str], limits: Limits, most: int, panel: str
) -> dict[str, Any]:
    curves = found["curves"][:most]
    return {
        "confusion": confusion(found["confusion"], classes, limits.classes, found.get("rejected")),
        "curves": [_curve(c, classes, f"{panel}c{c['class']}") for c in curves],
        "classes_left_out": len(classes) - len(curves) if len(classes) > 2 and curves else 0,
        "confidence": _confidence(found["histogram"]) if "histogram" in found else None,
    }


def _curve(curve: dict[str, Any], classes: list[str], key: str) -> dict[str, Any]:
    roc = plane(_UNIT, _UNIT, ("false-alarm rate", "hit rate (recall)"), **_SMALL)
    pr = plane(_UNIT, _UNIT, ("recall", "precision"), **_SMALL)
    reliability = plane(_UNIT, _UNIT, ("predicted probability", "observed frequency"), **_SMALL)
    counts = curve["thresholds"]
    rows = counts["positives"] + counts["negatives"]
    points = curve["calibration"]
    largest = max(points["rows"], default=1)
    return {
        "key": key,
        "class": classes[curve["class"]],
        "auc": fixed(curve["auc"], 3),
        "auc_interval": f"{fixed(curve['auc_low'], 3)} to {fixed(curve['auc_high'], 3)}",
        "average_precision": fixed(curve["average_precision"], 3),
        "share": percent(counts["positives"] / rows),
        "share_y": pr.y(counts["positives"] / rows),
        "roc": _drawn(roc, curve["roc"], curve["roc_band"]),
        "precision_recall": _drawn(
            pr, curve["precision_recall"], curve["precision_recall_band"], after=0.0
        ),
        "calibration": {
            "plane": reliability,
            "line": reliability.line(points["prob_pred"], points["prob_true"]),
            "dots": [
                (reliability.x(a), reliability.y(b), round(2 + 5 * (n / largest) ** 0.5, 1), n)
                for a, b, n in zip(
                    points["prob_pred"], points["prob_true"], points["rows"], strict=True
                )
            ],
            "expected_error": fixed(points["expected_error"], 3),
            "brier": fixed(points["brier"], 3),
        },
        "diagonal": roc.line(_UNIT, _UNIT),
    }


def _drawn(
    chart: Plane, curve: dict[str, Any], band: dict[str, Any], *, after: float = -1.0
) -> dict[str, Any]:
    """Draw a curve with its band; points with x not above `after` are left out."""
    drawn = band.get("low") or []
    points = [(x, y) for x, y in zip(curve["x"], curve["y"], strict=True) if x > after]
    return {
        "plane": chart,
        "line": chart.line([x for x, _ in points], [y for _, y in points]),
        "band": chart.band(band["x"], band["low"], band["high"]) if drawn else "",
    }


def _confidence(histogram: dict[str, Any]) -> dict[str, Any]:
    """Draw rows by the highest probability: wrong ones below, right ones on top."""
    edges, right, wrong = histogram["edges"], histogram["right"], histogram["wrong"]
    first = next((i for i, n in enumerate(zip(right, wrong, strict=True)) if sum(n)), 0)
    edges, right, wrong = edges[first:], right[first:], wrong[first:]
    both = [a + b for a, b in zip(right, wrong, strict=True)]
    chart = plane((edges[0], 1.0), (0, 1.05 * (max(both, default=1) or 1)),
                  ("highest probability", "rows"), height=200, width=340, y_ticks=3)  # fmt: skip
    return {"plane": chart, "all": chart.bars(edges, both), "wrong": chart.bars(edges, wrong)}


def _shown_classes(panels: list[dict[str, Any]], classes: list[str]) -> list[tuple[int, str]]:
    """Return the classes that have curves, as a number and a label."""
    drawn = {key.partition("c")[2] for panel in panels for key in _keys(panel)}
    return [(k, label) for k, label in enumerate(classes) if str(k) in drawn]


def _keys(panel: dict[str, Any]) -> set[str]:
    return {curve["key"] for curve in panel.get("curves", [])}


def _costs(contents: dict[str, Any], n_classes: int) -> dict[str, Any]:
    """Return the costs of a false alarm and a miss: those given for two classes, else 1."""
    given = (contents["costs"] or {}).get("table")
    if given is None or n_classes != 2:
        return {"false_alarm": 1, "miss": 1, "threshold": 0.5, "given": False, "most": 10,
                "step": 0.1}  # fmt: skip
    alarm, miss = given[1][0] - given[0][0], given[0][1] - given[1][1]
    threshold = alarm / (alarm + miss) if alarm > 0 and miss > 0 else 0.5
    most = 2 * max(alarm, miss, 1e-9)
    return {
        "false_alarm": alarm, "miss": miss, "threshold": round(threshold, 2), "given": True,
        "most": most, "step": most / 100,
    }  # fmt: skip


def _thresholds(contents: dict[str, Any], panels: list[dict[str, Any]]) -> dict[str, Any]:
    """Return true and false positives at each threshold, by the key of their curves."""
    found = {}
    for panel in panels:
        drawn = _keys(panel)
        for curve in contents["models"][panel["name"]].get("curves", []):
            key = f"{panel['id']}c{curve['class']}"
            if key in drawn:
                counts = curve["thresholds"]
                found[key] = {
                    "hits": counts["true_positives"],
                    "alarms": counts["false_positives"],
                    "positives": counts["positives"],
                    "negatives": counts["negatives"],
                }
    return found


def _command(contents: dict[str, Any]) -> str:
    """Return the command for the class of the curves; the page puts the threshold in."""
    return predict_command("THRESHOLD", contents["target"]["classes"][1]["label"])


# --- regression -----------------------------------------------------------------------------------


def _regression(found: dict[str, Any]) -> dict[str, Any]:
    true, predicted = found["dots"]["true"], found["dots"]["predicted"]
    both = span([*true, *predicted])
    against = plane(both, both, ("predicted", "true"), height=320, width=340)
    residual = [a - b for a, b in zip(true, predicted, strict=True)]
    ends = span([*residual, 0.0])
    rest = plane(span(predicted), ends, ("predicted", "true − predicted"), height=320, width=340)
    edges, counts = found["residuals"]["edges"], found["residuals"]["counts"]
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
        "deciles": _deciles(found["deciles"]),
        "shown": len(true),
    }


def _deciles(deciles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    most = max((d["mean_absolute_error"] for d in deciles), default=1.0) or 1.0
    places = max(0, decimals([most]) - 1)
    return [
        {
            "range": f"{number(d['from'])} to {number(d['to'])}",
            "rows": d["rows"],
            "error": fixed(d["mean_error"], places),
            "absolute": fixed(d["mean_absolute_error"], places),
            "width": round(60 * d["mean_absolute_error"] / most, 1),
        }
        for d in deciles
    ]
