"""The verdict: serious issues, three sentences, and the test score next to the baseline's."""

from gramian.report.drawing import Scale, Tick, round_values, span
from gramian.report.formatting import cut, decimals, fixed, number
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import Contents, SupervisedContents

_WIDTH = 300


def verdict(contents: Contents, _: Limits) -> View:
    """Return the sentences, the drawing and the number of issues."""
    serious = [c for c in contents.checks if c.severity == "serious"]
    warnings = [c for c in contents.checks if c.severity == "warning"]
    return {
        "headline": [cut(text, 400) for text in contents.headline],
        "sentences": [text.replace(" %", "\u00a0%") for text in contents.verdict],
        "gauge": _gauge(contents) if isinstance(contents, SupervisedContents) else None,
        "serious": len(serious),
        "warnings": len(warnings),
        "complete": contents.run.complete,
    }


def _gauge(contents: SupervisedContents) -> View | None:
    """Place the winner's test score with its interval, and the baseline's, on one line."""
    metric = contents.main_metric
    found = contents.test.scores.get(metric.name)
    if found is None:
        return None
    base = contents.test.baseline.get(metric.name)
    values = [v for v in (found.value, found.low, found.high, base) if v is not None]
    line = Scale(*span(values, room=0.12), 8, _WIDTH - 8)
    places = decimals([found.value])
    ends = line.ends(found.low, found.high)
    return {
        "metric": metric,
        "value": fixed(found.value, places),
        "low": fixed(found.low, places) if ends else None,
        "high": fixed(found.high, places) if ends else None,
        "confidence": number(100 * (1 - contents.run.alpha)),
        "rows": contents.test.rows,
        "at": line(found.value),
        "ends": ends,
        "base": None if base is None else line(base),
        "base_text": fixed(base, places),
        "base_anchor": _anchor(line, base),
        "ticks": [Tick(line(v), number(v)) for v in round_values(line.low, line.high, 4)],
        "width": _WIDTH,
    }


def _anchor(line: Scale, value: float | None) -> str:
    """Return the side of a point on which its text stays inside the drawing."""
    if value is None or line(value) < _WIDTH / 3:
        return "start"
    return "end" if line(value) > 2 * _WIDTH / 3 else "middle"
