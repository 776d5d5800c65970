"""Without a target: clusters of the rows, and two principal components that show them.

Each number of clusters k is scored by the mean silhouette

    s = (b - a) / max(a, b),  a, b = mean distance to the rows of the own and the nearest other
    cluster,

of a sample of rows. Reference: Rousseeuw, Journal of Computational and Applied Mathematics 20,
1987.
"""

from dataclasses import asdict
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.metrics import silhouette_samples
from sklearn.pipeline import Pipeline

import gramian
from gramian.base.randomness import stream
from gramian.cluster import KMeans
from gramian.data.columns import labels_of, numbers_of
from gramian.data.preparer import TablePreparer
from gramian.data.reading import LoadedTable
from gramian.evaluate.comparison.comparison import listed
from gramian.study.announcement import Announce, announcement
from gramian.study.contents import ClusterContents
from gramian.study.findings.contents import how_to_load, run_card
from gramian.study.findings.verdict import headline
from gramian.study.journal import Journal
from gramian.study.json_values import FORMAT, finite
from gramian.study.problem.checks import check_columns
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.profile import describe_columns
from gramian.study.progress import Clock, Counter, Watch
from gramian.study.settings import Settings

_MOST_GROUPS = 10
_SAMPLE = 2000
_DOTS = 600


def group_rows(
    problem: LearningProblem,
    source: LoadedTable,
    settings: Settings,
    journal: Journal,
    clock: Clock,
    watch: Watch | None,
    announce: Announce | None = None,
) -> tuple[Any, dict[str, Any], ClusterContents]:
    """Return the fitted pipeline, the result and the contents of the report."""
    problem.issues.extend(check_columns(problem, None))
    if announce is not None:
        announce(announcement(problem, source))
    preparer = TablePreparer(problem.kinds, formats=problem.formats)
    X = preparer.fit_transform(problem.frame)
    most = min(_MOST_GROUPS, len(X) // 3)
    counter = Counter(watch, most)
    sample = np.sort(stream(settings.seed, 6).permutation(len(X))[:_SAMPLE])
    tried: list[dict[str, Any]] = []
    for k in range(2, most + 1):
        if tried and clock.is_over():
            break
        tried.append(
            journal.once(f"group/{k}", lambda k=k: _try(X, k, sample, settings))  # type: ignore[misc]
        )
        counter.step("tune", f"{k} clusters")
    best = max(tried, key=lambda found: found["silhouette"])
    model = KMeans(best["k"], n_init=10, random_state=settings.seed).fit(X)
    counter.step("explain", "clusters")
    labels = model.labels_
    sizes = np.bincount(labels, minlength=best["k"])
    clusters = {
        "tried": tried,
        "k": best["k"],
        "sizes": sizes.tolist(),
        "profiles": _profiles(problem, labels, best["k"]),
        "picture": _picture(X, labels, settings.seed),
    }
    numbered, sized = (listed(list(map(str, v))) for v in (range(best["k"]), sizes.tolist()))
    verdict = [
        f"{len(X)} rows form {best['k']} clusters (mean silhouette {best['silhouette']:.3g}).",
        _strength(best["silhouette"]),
        f"Clusters {numbered} have {sized} rows; predictions use the same numbers.",
    ]
    complete = len(tried) == most - 1
    card = run_card(problem, source, settings, clock.seconds)
    contents = {
        "format": FORMAT,
        "run": {**card, "complete": complete, "winner": "KMeans", "metric": "silhouette",
                "split": "no test rows", "evaluations": {"made": len(tried),
                "planned": most - 1}},
        "headline": headline(problem.issues),
        "verdict": verdict,
        "columns": describe_columns(problem, None),
        "checks": [asdict(r) for r in problem.issues],
        "clusters": clusters,
        "load": how_to_load(),
    }  # fmt: skip
    result = {
        "format": FORMAT,
        "gramian": gramian.__version__,
        "complete": complete,
        "task": "clustering",
        "reason": problem.reason,
        "target": None,
        "metric": "silhouette",
        "seed": settings.seed,
        "data": card["data"],
        "winner": "KMeans",
        "headline": contents["headline"],
        "verdict": verdict,
        "clusters": {key: clusters[key] for key in ("tried", "k", "sizes")},
        "checks": contents["checks"],
        "times": {"seconds": card["seconds"]},
    }
    return (
        Pipeline([("prepare", preparer), ("model", model)]),
        finite(result),
        ClusterContents.from_json(finite(contents)),
    )


def _try(X: NDArray[Any], k: int, sample: NDArray[Any], settings: Settings) -> dict[str, Any]:
    model = KMeans(k, n_init=10, random_state=settings.seed).fit(X)
    labels = model.labels_[sample]
    if len(np.unique(labels)) < 2:
        return {"k": k, "silhouette": -1.0, "inertia": float(model.inertia_)}
    values = silhouette_samples(X[sample], labels)
    return {"k": k, "silhouette": float(values.mean()), "inertia": float(model.inertia_)}


def _strength(silhouette: float) -> str:
    """Kaufman and Rousseeuw's interpretation of the silhouette (Finding Groups in Data, 1990)."""
    for least, words in (
        (0.7, "The clusters are well separated."),
        (0.5, "The clusters are reasonably separated."),
        (0.25, "The clusters are weak and may be artificial."),
    ):
        if silhouette > least:
            return words
    return "The data show no clear cluster structure."


def _profiles(problem: LearningProblem, labels: NDArray[Any], k: int) -> list[dict[str, Any]]:
    """Return the mean or most frequent value of each column in each cluster."""
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    found: list[dict[str, Any]] = []
    for name, kind in list(problem.kinds.items())[:60]:
        if kind == "numeric":
            values = numbers_of(frame, [name])[:, 0]
            means = [_mean(values[labels == g]) for g in range(k)]
            found.append({"column": name, "kind": kind, "values": means, "all": _mean(values)})
        elif kind == "categorical":
            names = np.array([str(v) for v in labels_of(frame[name])])
            typical = []
            for g in range(k):
                levels, counts = np.unique(names[labels == g], return_counts=True)
                typical.append(str(levels[counts.argmax()]))
            found.append({"column": name, "kind": kind, "values": typical, "all": None})
    return found


def _mean(values: NDArray[Any]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _picture(X: NDArray[Any], labels: NDArray[Any], seed: int) -> dict[str, Any]:
    """Return two principal components of some rows, with their clusters."""
    if X.shape[1] < 2:
        places = np.column_stack([X[:, 0], np.zeros(len(X))])
        share = [1.0, 0.0]
    else:
        pca = PCA(2, random_state=seed % 2**32).fit(X)
        places, share = pca.transform(X), pca.explained_variance_ratio_.tolist()
    dots = np.sort(stream(seed, 7).permutation(len(X))[:_DOTS])
    return {
        "x": [float(f"{v:.5g}") for v in places[dots, 0]],
        "y": [float(f"{v:.5g}") for v in places[dots, 1]],
        "group": labels[dots].tolist(),
        "variance": share,
    }
