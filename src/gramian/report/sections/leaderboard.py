"""The leaderboard: every model by every metric, and the scores on the test rows."""

from collections.abc import Sequence

from gramian.report.drawing import Scale, span
from gramian.report.formatting import cut, decimals, duration, fixed, number, p_value
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import SupervisedContents
from gramian.study.contents.leaderboard import LeaderboardRow, MetricScore
from gramian.study.contents.metrics import MetricInfo

_WIDTH = 120  # of an interval's drawing
_WORDS = {
    "best": "best",
    "equivalent": "as good",
    "undecided": "no reliable difference",
    "worse": "worse",
}


def leaderboard(contents: SupervisedContents, _: Limits) -> View:
    """Return the metrics and, for each model, one cell per metric."""
    rows, metrics = contents.leaderboard, contents.metrics
    used = [m for m in metrics if any(m.name in row.metrics for row in rows)]
    scales = {m.name: _scale(rows, m.name) for m in used}
    return {
        "metrics": used,
        "width": _WIDTH,
        "rows": [
            {
                "name": row.name,
                "is_winner": row.is_winner,
                "is_baseline": row.is_baseline,
                "cells": [_cell(row.metrics.get(m.name), m, *scales[m.name]) for m in used],
                "fit": row.fit_seconds,
                "fit_text": duration(row.fit_seconds),
                "predict": row.predict_seconds,
                "predict_text": duration(row.predict_seconds),
                "tried": row.tried,
            }
            for row in rows
        ],
        "confidence": number(100 * (1 - contents.run.alpha)),
        "test": _tested(contents, used),
        "winner": contents.run.winner,
        "rope": contents.comparison.rope,
    }


def _scale(rows: Sequence[LeaderboardRow], metric: str) -> tuple[Scale, int]:
    """Return a scale for the models; models far from the others would squeeze the rest together.

    It contains the better half of the models and all that are not further from these than twice the
    distance between them; the baseline counts only if there is nothing else.
    """
    found = {row.name: row.metrics[metric] for row in rows if metric in row.metrics}
    learned = [found[r.name] for r in rows if r.name in found and not r.is_baseline]
    every = sorted(learned or found.values(), key=lambda f: float(f.rank))
    best = _ends(every[: max(2, -(-len(every) // 2))])
    room = 2 * (best[1] - best[0])
    drawn = [f for f in every if best[0] - room <= f.mean <= best[1] + room]
    ends = _ends(drawn)
    return Scale(*span(ends), 4, _WIDTH - 4), decimals([f.mean for f in found.values()])


def _ends(found: Sequence[MetricScore]) -> tuple[float, float]:
    values = [v for f in found for v in (f.mean, f.low, f.high) if v is not None]
    return min(values), max(values)


def _cell(
    found: MetricScore | None,
    metric: MetricInfo,
    scale: Scale,
    places: int,
) -> View | None:
    if found is None:
        return None
    low, high = found.low, found.high
    ends = None
    if low is not None and high is not None:
        ends = (scale(max(low, scale.low)), scale(min(high, scale.high)))
    return {
        "metric": metric.name,
        "mean": found.mean,
        "text": fixed(found.mean, places),
        "interval": f"{fixed(low, places)} to {fixed(high, places)}" if ends else "",
        "low": low,
        "drawn": scale.low <= found.mean <= scale.high,
        "at": scale(found.mean),
        "ends": ends,
        "folds": [scale(v) for v in found.folds[:20] if scale.low <= v <= scale.high],
        "rank": found.rank,
        "rank_text": fixed(found.rank, 1),
        "status": _WORDS[found.status],
        "status_order": list(_WORDS).index(found.status),
        "p": found.p_best,
        "p_text": "" if found.status == "best" else p_value(found.p_best),
    }


def _tested(contents: SupervisedContents, metrics: Sequence[MetricInfo]) -> View:
    test = contents.test
    others = test.without_duplicates or {}
    lines = []
    for metric in metrics:
        found = test.scores.get(metric.name)
        if found is None:
            continue
        base = test.baseline.get(metric.name)
        places = decimals([found.value, base])
        known = found.low is not None
        alone = others.get(metric.name)
        lines.append(
            {
                "metric": metric,
                "value": fixed(found.value, places),
                "interval": f"{fixed(found.low, places)} to {fixed(found.high, places)}"
                if known
                else "",
                "method": found.method if known else "",
                "baseline": fixed(base, places),
                "without_duplicates": fixed(alone.value, places) if alone else None,
            }
        )
    return {
        "rows": test.rows,
        "lines": lines,
        "duplicates": test.duplicates,
        "has_rest": bool(others),
        "label": cut(contents.run.target),
    }
