"""Without a target: clusters of the rows, and two principal components that show them.

Each number of clusters k is scored by the mean silhouette

    s = (b - a) / max(a, b),  a, b = mean distance to the rows of the own and the nearest other
    cluster,

of a sample of rows. Reference: Rousseeuw, Journal of Computational and Applied Mathematics 20,
1987.
"""

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.metrics import silhouette_samples
from sklearn.pipeline import Pipeline

from gramian.base.randomness import stream
from gramian.cluster import KMeans
from gramian.data.columns import labels_of, numbers_of
from gramian.data.preparer import TablePreparer
from gramian.data.reading import LoadedTable
from gramian.evaluate.comparison.comparison import listed
from gramian.study.announcement import Announce, announcement
from gramian.study.contents import ClusterContents
from gramian.study.contents.clusters import (
    ClusterPicture,
    ClusterProfile,
    Clusters,
    TriedClusters,
)
from gramian.study.contents.run_card import Evaluations
from gramian.study.contents.values import defined
from gramian.study.findings.contents import how_to_load, run_card
from gramian.study.findings.verdict import headline
from gramian.study.journal import Journal
from gramian.study.problem.checks import check_columns
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.profile import describe_columns
from gramian.study.progress import Clock, Counter, Watch
from gramian.study.settings import Settings

if TYPE_CHECKING:
    from gramian.base.types import Floats, Matrix, RowNumbers

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
) -> tuple[Any, ClusterContents]:
    """Return the fitted pipeline and the contents of the report."""
    problem.issues.extend(check_columns(problem, None))
    if announce is not None:
        announce(announcement(problem, source))
    preparer = TablePreparer(problem.kinds, formats=problem.formats)
    X: Matrix = preparer.fit_transform(problem.frame)
    most = min(_MOST_GROUPS, len(X) // 3)
    counter = Counter(watch, most)
    sample = np.sort(stream(settings.seed, 6).permutation(len(X))[:_SAMPLE])
    tried: list[TriedClusters] = []
    for k in range(2, most + 1):
        if tried and clock.is_over():
            break
        found = journal.once(f"group/{k}", lambda k=k: _evaluate_k(X, k, sample, settings))  # type: ignore[misc]
        tried.append(TriedClusters(**found))
        counter.step("tune", f"{k} clusters")
    best = max(tried, key=lambda each: each.silhouette)
    model = KMeans(best.k, n_init=10, random_state=settings.seed).fit(X)
    counter.step("explain", "clusters")
    labels = model.labels_
    sizes = tuple(np.bincount(labels, minlength=best.k).tolist())
    numbered, sized = (listed(list(map(str, v))) for v in (range(best.k), sizes))
    contents = ClusterContents(
        run=run_card(
            problem,
            source,
            settings,
            clock.seconds,
            metric="silhouette",
            split="no test rows",
            evaluations=Evaluations(len(tried), most - 1),
            complete=len(tried) == most - 1,
            winner="KMeans",
        ),
        headline=headline(problem.issues),
        verdict=(
            f"The {len(X)} rows form {best.k} clusters (mean silhouette {best.silhouette:.3g}).",
            _strength(best.silhouette),
            f"Clusters {numbered} have {sized} rows; predictions use the same cluster numbers.",
        ),
        columns=describe_columns(problem, None),
        checks=tuple(problem.issues),
        clusters=Clusters(
            tried=tuple(tried),
            k=best.k,
            sizes=sizes,
            profiles=_profiles(problem, labels, best.k),
            picture=_picture(X, labels, settings.seed),
        ),
        load=how_to_load(),
    )
    return Pipeline([("prepare", preparer), ("model", model)]), contents


def _evaluate_k(
    X: NDArray[Any], k: int, sample: NDArray[Any], settings: Settings
) -> dict[str, Any]:
    model = KMeans(k, n_init=10, random_state=settings.seed).fit(X)
    labels: RowNumbers = model.labels_[sample]
    if len(np.unique(labels)) < 2:
        return {"k": k, "silhouette": -1.0, "inertia": float(model.inertia_)}
    values: Floats = silhouette_samples(X[sample], labels)
    return {"k": k, "silhouette": float(values.mean()), "inertia": float(model.inertia_)}


def _strength(silhouette: float) -> str:
    """Return Kaufman and Rousseeuw's reading of the silhouette (Finding Groups in Data, 1990)."""
    for least, words in (
        (0.7, "The clusters are well separated."),
        (0.5, "The clusters are reasonably separated."),
        (0.25, "The clusters are weak and may be artificial."),
    ):
        if silhouette > least:
            return words
    return "The data show no clear cluster structure."


def _profiles(problem: LearningProblem, labels: NDArray[Any], k: int) -> tuple[ClusterProfile, ...]:
    """Return the mean or most frequent value of each column in each cluster."""
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    found: list[ClusterProfile] = []
    for name, kind in list(problem.kinds.items())[:60]:
        if kind == "numeric":
            values = numbers_of(frame, [name])[:, 0]
            means = tuple(_mean(values[labels == g]) for g in range(k))
            found.append(ClusterProfile(name, kind, means, _mean(values)))
        elif kind == "categorical":
            names = np.array([str(v) for v in labels_of(frame[name])])
            typical = []
            for g in range(k):
                levels, counts = np.unique(names[labels == g], return_counts=True)
                typical.append(str(levels[counts.argmax()]))
            found.append(ClusterProfile(name, kind, tuple(typical), None))
    return tuple(found)


def _mean(values: NDArray[Any]) -> float | None:
    known = values[~np.isnan(values)]
    return defined(known.mean()) if len(known) else None


def _picture(X: NDArray[Any], labels: NDArray[Any], seed: int) -> ClusterPicture:
    """Return two principal components of some rows, with their clusters."""
    if X.shape[1] < 2:
        places = np.column_stack([X[:, 0], np.zeros(len(X))])
        variance = [1.0, 0.0]
    else:
        pca = PCA(2, random_state=seed % 2**32).fit(X)
        places, variance = pca.transform(X), pca.explained_variance_ratio_.tolist()
    dots = np.sort(stream(seed, 7).permutation(len(X))[:_DOTS])
    return ClusterPicture(
        x=tuple(float(f"{v:.5g}") for v in places[dots, 0]),
        y=tuple(float(f"{v:.5g}") for v in places[dots, 1]),
        group=tuple(labels[dots].tolist()),
        variance=(variance[0], variance[1]),
    )
