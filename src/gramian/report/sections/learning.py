"""The learning curve: scores against training rows, and the gap between the two."""

from typing import Any

from gramian.report.drawing import plane, span
from gramian.report.formatting import decimals, fixed
from gramian.report.limits import Limits


def learning(contents: dict[str, Any], _: Limits) -> dict[str, Any] | None:
    """Return the two curves with the range over splits, and their summary."""
    curve = contents["learning_curve"]
    points = curve["points"]
    if len(points) < 2:
        return None
    metric = next(m for m in contents["metrics"] if m["name"] == curve["metric"])
    rows = [p["rows"] for p in points]
    every = [v for p in points for part in ("train", "validation") for v in p[part]]
    chart = plane((0, 1.03 * rows[-1]), span(every), ("training rows", metric["name"]),
                  width=400, height=270, left=52)  # fmt: skip
    means = {
        part: [sum(p[part]) / len(p[part]) for p in points] for part in ("train", "validation")
    }
    sign = 1 if metric["greater_is_better"] else -1
    places = decimals(every)
    last = sign * (means["validation"][-1] - means["validation"][-2])
    gap = sign * (means["train"][-1] - means["validation"][-1])
    spread = max(points[-1]["validation"]) - min(points[-1]["validation"])
    return {
        "plane": chart,
        "curves": [
            {
                "part": part,
                "line": chart.line(rows, means[part]),
                "dots": chart.dots(rows, means[part]),
                "band": chart.band(
                    rows, [min(p[part]) for p in points], [max(p[part]) for p in points]
                ),
            }
            for part in ("train", "validation")
        ],
        "metric": metric,
        "model": contents["run"]["winner"],
        "rows": rows[-1],
        "train": fixed(means["train"][-1], places),
        "validation": fixed(means["validation"][-1], places),
        "gap": fixed(gap, places),
        "gain": fixed(last, places),
        "before": rows[-2],
        "grows": last > spread / 4,
        "splits": len(points[0]["train"]),
        "points": [
            {
                "rows": p["rows"],
                "train": fixed(t, places),
                "validation": fixed(v, places),
                "gap": fixed(sign * (t - v), places),
            }
            for p, t, v in zip(points, means["train"], means["validation"], strict=True)
        ],
    }
