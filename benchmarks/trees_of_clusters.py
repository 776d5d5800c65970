"""Trees of clusters, medoids and dense regions.

The answers compared: the sum of a tree's heights, the objective of k-medoids from the same start,
and of dense regions the number of clustered rows. fastcluster and SciPy get rows, as we do.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.data import blobs, cloud
from benchmarks.harness.workload import Quality, Workload


def total_height(Z, *_):
    """Sum of the heights of all merges."""
    return float(np.sort(np.asarray(Z)[:, 2]).sum())


def clustered(labels, *_):
    """Rows that are no noise."""
    return float((np.asarray(labels) >= 0).sum())


def medoid_objective(medoids, X, *_):
    """Sum of the distances to the nearest medoid."""
    total = 0.0
    for start in range(0, len(X), 2000):
        rows = X[start : start + 2000]
        squares = ((rows[:, None] - X[np.asarray(medoids)][None]) ** 2).sum(axis=2)
        total += float(np.sqrt(squares.min(axis=1)).sum())
    return total


HEIGHTS = Quality("sum of the heights", total_height, better="neither", agree=1e-6)
CLUSTERED = Quality("rows that are no noise", clustered, better="neither", agree=0.02)
OBJECTIVE = Quality("objective", medoid_objective, better="lower", agree=1e-9)


def rows(method, *, n, d, seed):
    return cloud(n, d, seed=seed), method


def rows_and_start(*, n, d, k, seed):
    X = blobs(n, d, k, seed=seed)
    return X, np.random.default_rng(seed + 1).choice(len(X), k, replace=False)


def dense_rows(*, n, d, k, spread, seed):
    return (blobs(n, d, k, spread=spread, seed=seed),)


def gramian(X, method):
    from gramian.cluster import linkage

    return linkage(X, method)


def scipy(X, method):
    from scipy.cluster.hierarchy import linkage

    return linkage(X, method)


def fastcluster(X, method):
    from fastcluster import linkage

    return linkage(X, method)


def genieclust(X, method):
    from genieclust import Genie

    assert method == "single"
    lengths = Genie(gini_threshold=1.0).fit(X).distances_
    return np.column_stack([np.zeros((len(lengths), 2)), lengths])


def fastcluster_vector(X, method):
    from fastcluster import linkage_vector

    return linkage_vector(X, method)


def quitefastmst(X, method):
    from quitefastmst import mst_euclid

    assert method == "single"
    lengths = mst_euclid(X)[0]
    return np.column_stack([np.zeros((len(lengths), 2)), lengths])


def gramian_medoids(X, start):
    from gramian import KMedoids

    return KMedoids(len(start), init=start).fit(X).medoid_indices_


def kmedoids(X, start):
    from kmedoids import fasterpam
    from sklearn.metrics import pairwise_distances

    D = np.asfortranarray(pairwise_distances(X))
    return fasterpam(D, start.astype(np.uint64), random_state=None).medoids


def plain_medoids(X, start):
    """FasterPAM as it is printed, on the whole matrix."""
    from sklearn.metrics import pairwise_distances

    D, medoids, quiet, at = pairwise_distances(X), start.copy(), 0, 0
    while quiet < len(X):
        order = np.argsort(D[:, medoids], axis=1)[:, :2]
        near, second = np.take_along_axis(D[:, medoids], order, axis=1).T
        loss = np.bincount(order[:, 0], second - near, minlength=len(medoids))
        while quiet < len(X):
            d, quiet, candidate, at = D[at], quiet + 1, at, (at + 1) % len(X)
            if candidate in medoids:
                continue
            change = np.where(d < near, near - second, np.minimum(d - second, 0))
            changes = loss + np.bincount(order[:, 0], change, minlength=len(medoids))
            if changes.min() + np.minimum(d - near, 0).sum() < -1e-12 * near.sum():
                medoids[changes.argmin()], quiet = candidate, 0
                break
    return medoids


def gramian_dbscan(X):
    from gramian import DBSCAN

    return DBSCAN(eps=0.1, min_samples=10).fit(X).labels_


def sklearn_dbscan(X):
    from sklearn.cluster import DBSCAN

    return DBSCAN(eps=0.1, min_samples=10, n_jobs=-1).fit(X).labels_


def intelex_dbscan(X):
    from sklearnex.cluster import DBSCAN

    return DBSCAN(eps=0.1, min_samples=10, n_jobs=-1).fit(X).labels_


def gramian_hdbscan(X):
    from gramian import HDBSCAN

    return HDBSCAN(min_cluster_size=50, min_samples=10).fit(X).labels_


def sklearn_hdbscan(X):
    from sklearn.cluster import HDBSCAN

    return HDBSCAN(min_cluster_size=50, min_samples=10, n_jobs=-1, copy=False).fit(X).labels_


def hdbscan(X):
    from hdbscan import HDBSCAN

    return HDBSCAN(min_cluster_size=50, min_samples=10, core_dist_n_jobs=-1).fit(X).labels_


REFERENCES = {"gramian": gramian, "scikit-learn": scipy, "fastcluster": fastcluster}


def _workloads(suffix, seed):
    return [
        Workload(
            name=f"linkage, single, 10k x 10 (SciPy as the reference){suffix}",
            dtype="float64",
            data=partial(rows, "single", n=10_000, d=10, seed=seed),
            contenders=REFERENCES | {"genieclust": genieclust, "quitefastmst": quitefastmst},
            quality=HEIGHTS,
            aim=3.0,
        ),
        *(
            Workload(
                name=f"linkage, {method}, 10k x 10 (SciPy as the reference){suffix}",
                dtype="float64",
                data=partial(rows, method, n=10_000, d=10, seed=seed),
                contenders=REFERENCES,
                quality=HEIGHTS,
                aim=aim,
            )
            for method, aim in (("complete", 3.0), ("average", 3.0), ("ward", 10.0))
        ),
        Workload(
            name=f"linkage, single, 250k x 3{suffix}",
            dtype="float64",
            data=partial(rows, "single", n=250_000, d=3, seed=seed),
            contenders={"gramian": gramian, "genieclust": genieclust, "quitefastmst": quitefastmst},
            quality=HEIGHTS,
            aim=1.0,
        ),
        Workload(
            name=f"linkage, ward, 50k x 10{suffix}",
            dtype="float64",
            data=partial(rows, "ward", n=50_000, d=10, seed=seed),
            contenders={"gramian": gramian, "fastcluster, linkage_vector": fastcluster_vector},
            quality=HEIGHTS,
            aim=1.0,
            once=("fastcluster, linkage_vector",),
        ),
        Workload(
            name=f"k-medoids 5k x 10, k=20, from rows (NumPy as the reference){suffix}",
            dtype="float64",
            data=partial(rows_and_start, n=5_000, d=10, k=20, seed=seed),
            contenders={
                "gramian": gramian_medoids,
                "scikit-learn": plain_medoids,
                "kmedoids": kmedoids,
            },
            quality=OBJECTIVE,
            aim=5.0,
            once=("scikit-learn",),
        ),
        Workload(
            name=f"k-medoids 50k x 10, k=20, from rows (the matrix takes 20 GB){suffix}",
            dtype="float64",
            data=partial(rows_and_start, n=50_000, d=10, k=20, seed=seed),
            contenders={"gramian": gramian_medoids},
            quality=OBJECTIVE,
            aim=1.0,
        ),
        Workload(
            name=f"DBSCAN 200k x 3{suffix}",
            dtype="float64",
            data=partial(dense_rows, n=200_000, d=3, k=50, spread=0.3, seed=seed),
            contenders={
                "gramian": gramian_dbscan,
                "scikit-learn": sklearn_dbscan,
                "scikit-learn-intelex": intelex_dbscan,
            },
            quality=CLUSTERED,
            aim=3.0,
        ),
        Workload(
            name=f"HDBSCAN 50k x 10{suffix}",
            dtype="float64",
            data=partial(dense_rows, n=50_000, d=10, k=20, spread=1.0, seed=seed),
            contenders={
                "gramian": gramian_hdbscan,
                "scikit-learn": sklearn_hdbscan,
                "hdbscan": hdbscan,
            },
            quality=CLUSTERED,
            aim=3.0,
            once=("scikit-learn", "hdbscan"),
        ),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 0), *_workloads(", second data set", 10)]
