"""The statistical comparison: which models differ significantly."""

from gramian.report.drawing import Scale, Tick
from gramian.report.formatting import decimals, fixed, letter, model_name, number, p_value, percent
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import SupervisedContents
from gramian.study.contents.comparison import Pair

_WIDTH = 380
_LABELS = 168  # pixels for the names
_ROW = 22
_BAR = 120


def comparison(contents: SupervisedContents, limits: Limits) -> View:
    """Return the diagram and one line for each pair of models."""
    found = contents.comparison
    pairs = found.pairs
    metric = contents.main_metric
    shown = pairs[: limits.pairs]
    places = decimals([p.difference for p in pairs])
    best = contents.leaderboard[0].name
    return {
        "test": found.test,
        "adjust": found.adjust,
        "alpha": found.alpha,
        "splits": found.splits,
        "rope": found.rope,
        "overlap": fixed(found.test_over_train, 2),
        "metric": metric,
        "groups": [{"letter": letter(g), "names": names} for g, names in enumerate(found.groups)],
        "diagram": _diagram(contents) if len(contents.leaderboard) > 1 else None,
        "pairs": [_pair(p, places, found.alpha, best) for p in shown],
        "left_out": len(pairs) - len(shown),
        "total": len(pairs),
        "others": sum(1 for p in shown if best not in (p.first, p.second)),
        "bar": _BAR,
    }


def _pair(pair: Pair, places: int, alpha: float, best: str) -> View:
    shares = [pair.better, pair.same, pair.worse]
    starts = [0.0, shares[0], shares[0] + shares[1]]
    known = pair.low is not None and pair.high is not None
    low, high = fixed(pair.low, places), fixed(pair.high, places)
    return {
        "first": pair.first,
        "second": pair.second,
        "with_best": best in (pair.first, pair.second),
        "difference": pair.difference,
        "difference_text": fixed(pair.difference, places),
        "interval": f"{low} to {high}" if known else "",
        "p": pair.p,
        "p_text": p_value(pair.p, alpha),
        "adjusted": pair.p_adjusted,
        "adjusted_text": p_value(pair.p_adjusted, alpha),
        "differs": pair.p_adjusted <= alpha,
        "better": pair.better,
        "words": ", ".join(
            f"{word} {percent(share)}"
            for word, share in zip(("better", "same", "worse"), shares, strict=True)
        ),
        "parts": [
            (round(_BAR * start, 1), round(_BAR * share, 1))
            for start, share in zip(starts, shares, strict=True)
        ],
    }


def _diagram(contents: SupervisedContents) -> View:
    """Models by mean rank, best at the left; a bar joins those without significant difference.

    Reference: Demsar, JMLR 7, 2006, figure 1; here all names are on one side.
    """
    rows = sorted(contents.leaderboard, key=lambda row: row.rank)
    ranks = {row.name: row.rank for row in rows}
    axis = Scale(1, len(rows), _LABELS + 10, _WIDTH - 14)
    critical = contents.comparison.critical_difference
    joined = [names for names in contents.comparison.groups if len(names) > 1]
    top = 58
    first_row = top + 14 + 11 * len(joined)
    step = max(1, len(rows) // 8)
    return {
        "width": _WIDTH,
        "height": first_row + _ROW * len(rows),
        "axis": axis,
        "top": top,
        "labels": _LABELS,
        "ticks": [Tick(axis(r), str(r)) for r in range(1, len(rows) + 1, step)],
        "critical": axis(1 + critical) if 1 + critical <= len(rows) else None,
        "critical_text": number(critical, 3),
        "bars": [
            {
                "y": top + 12 + 11 * g,
                "ends": (
                    axis(min(ranks[n] for n in names)) - 4,
                    axis(max(ranks[n] for n in names)) + 4,
                ),
                "dots": [axis(ranks[n]) for n in names],
            }
            for g, names in enumerate(joined)
        ],
        "models": [
            {
                "name": model_name(row.name),
                "full": row.name,
                "rank": fixed(row.rank, 1),
                "x": axis(row.rank),
                "y": first_row + _ROW * i + 8,
                "is_winner": row.is_winner,
                "is_baseline": row.is_baseline,
            }
            for i, row in enumerate(rows)
        ],
    }
