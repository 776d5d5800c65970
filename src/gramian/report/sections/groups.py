"""Tables without a target: the number of clusters, their plot and their profiles."""

from collections.abc import Sequence

from gramian.report.drawing import plane, span
from gramian.report.formatting import cut, number, percent
from gramian.report.limits import Limits
from gramian.report.view import View
from gramian.study.contents import ClusterContents
from gramian.study.contents.clusters import ClusterPicture, TriedClusters


def groups(contents: ClusterContents, limits: Limits) -> View:
    """Return the choice of k, the plot and the table of profiles."""
    found = contents.clusters
    sizes = found.sizes
    columns = found.profiles[: limits.columns]
    return {
        "k": found.k,
        "sizes": [
            {
                "group": g,
                "rows": n,
                "share": percent(n / sum(sizes)),
                "width": round(100 * n / max(sizes), 1),
            }
            for g, n in enumerate(sizes)
        ],
        "choice": _choice(found.tried, found.k),
        "picture": _picture(found.picture, found.k),
        "profiles": [
            {
                "column": cut(p.column, 40),
                "kind": p.kind,
                "values": [cut(number(v), 24) for v in p.values],
                "all": number(p.all),
            }
            for p in columns
        ],
        "left_out": len(found.profiles) - len(columns),
    }


def _choice(tried: Sequence[TriedClusters], k: int) -> View:
    xs = [float(t.k) for t in tried]
    ys = [t.silhouette for t in tried]
    chart = plane((min(xs) - 0.5, max(xs) + 0.5), span(ys, room=0.1),
                  ("number of clusters", "mean silhouette"), height=240,
                  x_ticks=len(xs))  # fmt: skip
    return {
        "plane": chart,
        "line": chart.line(xs, ys),
        "dots": chart.dots(xs, ys),
        "best": (chart.x(k), chart.y(ys[xs.index(float(k))])),
    }


def _picture(picture: ClusterPicture, k: int) -> View:
    first, second = (percent(v) for v in picture.variance)
    chart = plane(span(picture.x), span(picture.y),
                  (f"first principal component ({first} of the variance)", f"second ({second})"),
                  height=320)  # fmt: skip
    by_group: dict[int, tuple[list[float], list[float]]] = {g: ([], []) for g in range(k)}
    for x, y, group in zip(picture.x, picture.y, picture.group, strict=True):
        by_group[group][0].append(x)
        by_group[group][1].append(y)
    return {
        "plane": chart,
        "dots": [(g, chart.dots(*points)) for g, points in by_group.items()],
        "shown": len(picture.x),
    }
