"""The learning curve: scores against training rows, and the gap between the two."""

from gramian.report.drawing import plane, span
from gramian.report.formatting import decimals, fixed
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import SupervisedContents


def learning(contents: SupervisedContents, _: Limits) -> View | None:
    """Return the two curves with the range over splits, and their summary."""
    curve = contents.learning_curve
    points = curve.points
    if len(points) < 2:
        return None
    metric = next(m for m in contents.metrics if m.name == curve.metric)
    rows = [p.rows for p in points]
    scores = {"train": [p.train for p in points], "validation": [p.validation for p in points]}
    every = [v for p in points for v in (*p.train, *p.validation)]
    chart = plane((0, 1.03 * rows[-1]), span(every), ("training rows", metric.name),
                  width=400, height=270, left=52)  # fmt: skip
    means = {part: [sum(v) / len(v) for v in found] for part, found in scores.items()}
    train, validation = means["train"], means["validation"]
    sign = 1 if metric.greater_is_better else -1
    places = decimals(every)
    last = sign * (validation[-1] - validation[-2])
    gap = sign * (train[-1] - validation[-1])
    spread = max(points[-1].validation) - min(points[-1].validation)
    return {
        "plane": chart,
        "curves": [
            {
                "part": part,
                "line": chart.line(rows, means[part]),
                "dots": chart.dots(rows, means[part]),
                "band": chart.band(rows, [min(v) for v in found], [max(v) for v in found]),
            }
            for part, found in scores.items()
        ],
        "metric": metric,
        "model": contents.run.winner,
        "rows": rows[-1],
        "train": fixed(train[-1], places),
        "validation": fixed(validation[-1], places),
        "gap": fixed(gap, places),
        "gain": fixed(last, places),
        "before": rows[-2],
        "grows": last > spread / 4,
        "splits": len(points[0].train),
        "points": [
            {
                "rows": p.rows,
                "train": fixed(t, places),
                "validation": fixed(v, places),
                "gap": fixed(sign * (t - v), places),
            }
            for p, t, v in zip(points, train, validation, strict=True)
        ],
    }
