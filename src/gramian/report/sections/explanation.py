"""Explanation of the model: importances, effects of columns, coefficients or the tree."""

from collections.abc import Sequence

from gramian.report.drawing import Scale, Tick, plane, round_values, span
from gramian.report.formatting import cut, fixed, number
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import SupervisedContents
from gramian.study.contents.explanation import Coefficients, Effect, Importance

_NAMES = 138  # pixels for the names of columns
_WIDTH = 380
_ROW = 20
_LINES = 8  # classes drawn in one chart: as many as there are colours
_OUTPUTS = 12  # classes whose coefficients are shown, one at a time


def explanation(contents: SupervisedContents, limits: Limits) -> View:
    """Return the drawings."""
    metric = contents.main_metric
    items = contents.importances
    shown = items[: limits.bars]
    classes = [cut(label, 24) for label in contents.classes]
    return {
        "metric": metric,
        "model": contents.run.winner,
        "importances": _bars(shown) if shown else None,
        "left_out": len(items) - len(shown),
        "measured": len(items),
        "columns": sum(1 for c in contents.columns.shown if c.used),
        "effects": _effects(contents.effects, classes, str(contents.run.target)),
        "coefficients": _coefficients(contents.coefficients, limits),
        "structure": contents.structure,
    }


def _bars(items: Sequence[Importance]) -> View:
    """Draw bars from zero to the right, each with its interval."""
    ends = [v for i in items for v in (i.mean, i.low, i.high) if v is not None]
    scale = Scale(*span([*ends, 0.0], room=0.04), _NAMES + 8, _WIDTH - 10)
    zero = scale(0.0)
    return {
        "width": _WIDTH,
        "height": _ROW * len(items) + 26,
        "names": _NAMES,
        "zero": zero,
        "bottom": _ROW * len(items) + 4,
        "ticks": [Tick(scale(v), number(v)) for v in round_values(scale.low, scale.high, 4)],
        "bars": [
            {
                "name": cut(item.column, 19),
                "full": cut(item.column, 120),
                "value": number(item.mean, 3),
                "y": _ROW * i + 4,
                "x": min(zero, scale(item.mean)),
                "length": round(abs(scale(item.mean) - zero), 1),
                "ends": scale.ends(item.low, item.high),
                "low": item.low,
                "high": item.high,
            }
            for i, item in enumerate(items)
        ],
    }


def _effects(effects: Sequence[Effect], classes: list[str], target: str) -> list[View]:
    """Draw the mean prediction against the values of columns, all on one scale."""
    drawn = [_lines(effect) for effect in effects]
    y = span([v for lines in drawn for line in lines for v in line] or [0.0], room=0.1)
    if classes:
        y = (max(0.0, y[0]), min(1.0, y[1])) if y[1] > 0 else y
    return [
        _effect(effect, lines, y, classes, target)
        for effect, lines in zip(effects, drawn, strict=True)
    ]


def _lines(effect: Effect) -> list[list[float]]:
    """Return one line per class drawn: the second of two classes, or the first of many."""
    means = [m if isinstance(m, tuple) else [m] for m in effect.means]
    return [[row[k] for row in means] for k in _classes_drawn(len(means[0]))]


def _classes_drawn(outputs: int) -> list[int]:
    return [1] if outputs == 2 else list(range(min(outputs, _LINES)))


def _effect(
    effect: Effect,
    lines: list[list[float]],
    y: tuple[float, float],
    classes: list[str],
    target: str,
) -> View:
    """Draw one column, a line or a dot for each class."""
    outputs = len(effect.means[0]) if isinstance(effect.means[0], tuple) else 1
    label = (f"probability of {cut(classes[1], 14)}" if outputs == 2 and classes else
             "mean probability" if classes else f"mean {cut(target, 18)}")  # fmt: skip
    named = [(k, classes[k]) for k in _classes_drawn(outputs)] if classes and outputs > 2 else []
    is_number = effect.kind == "numeric"
    xs = [float(v) for v in effect.values] if is_number else []
    chart = (
        plane(span(xs, room=0.02), y, (cut(effect.column, 40), label), width=320, height=230,
              left=50, x_ticks=4, y_ticks=4)
        if is_number
        else None
    )  # fmt: skip
    return {
        "column": cut(effect.column, 60),
        "heading": "word" if effect.kind == "text" else "value",
        "label": label,
        "plane": chart,
        "lines": [chart.line(xs, line) for line in lines] if chart else [],
        "named": named,
        "left_out": max(0, outputs - len(lines)) if outputs > 2 else 0,
        "levels": [] if is_number else _levels(effect, lines, y),
        "ends": [number(v, 2) for v in y],
    }


def _levels(effect: Effect, lines: list[list[float]], ends: tuple[float, float]) -> list[View]:
    scale = Scale(*ends, 4, 136)
    return [
        {
            "label": cut(label, 24),
            "dots": [scale(line[i]) for line in lines],
            "text": number(lines[0][i], 3) if len(lines) == 1 else "",
        }
        for i, label in enumerate(effect.values)
    ]


def _coefficients(found: Coefficients | None, limits: Limits) -> View | None:
    if found is None:
        return None
    most = max((abs(v) for row in found.values for v in row), default=1.0) or 1.0
    columns = found.columns[: limits.bars]
    outputs = found.outputs[:_OUTPUTS]
    return {
        "outputs": [cut(o, 24) for o in outputs],
        "outputs_left_out": len(found.outputs) - len(outputs),
        "rows": [
            {
                "name": cut(name, 40),
                "cells": [
                    {
                        "text": fixed(found.values[k][i], 3),
                        "value": found.values[k][i],
                        "width": round(38 * abs(found.values[k][i]) / most, 1),
                        "negative": found.values[k][i] < 0,
                    }
                    for k in range(len(outputs))
                ],
            }
            for i, name in enumerate(columns)
        ],
        "intercept": [fixed(v, 3) for v in found.intercept[: len(outputs)]],
        "left_out": found.left_out + len(found.columns) - len(columns),
    }
