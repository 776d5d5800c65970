"""Spectral clustering on graphs of nearest neighbours; the answer is the labels.

scikit-learn with each of its eigen-solvers, "amg" where pyamg is installed. The time is that of a
whole `fit`: graph, eigenvectors and ten initialisations of k-means.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.workload import Quality, Workload


def labelled_blobs(*, n, d, k, spread, seed):
    """Overlapping blobs, and the blob of each row."""
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-10.0, 10.0, size=(k, d))
    truth = rng.integers(k, size=n)
    return centers[truth] + rng.normal(0.0, spread, size=(n, d)), truth, k


def rand_index(labels, _X, truth, _k):
    """Adjusted Rand index against the blobs."""
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(truth, labels))


def settings(k):
    return {"n_clusters": k, "affinity": "nearest_neighbors", "n_neighbors": 10, "random_state": 0}


def gramian(X, _truth, k):
    from gramian import SpectralClustering

    return SpectralClustering(**settings(k)).fit(X).labels_


def sklearn(X, _truth, k, solver="arpack"):
    from sklearn.cluster import SpectralClustering

    return SpectralClustering(**settings(k), eigen_solver=solver).fit(X).labels_


AGREEMENT = Quality("adjusted Rand index", rand_index, better="higher", agree=0.02)


def _workloads(suffix, seed):
    return [
        Workload(
            name=f"SpectralClustering, blobs 5k x 10, 10 neighbours, k=10{suffix}",
            dtype="float64",
            data=partial(labelled_blobs, n=5_000, d=10, k=10, spread=3.0, seed=seed),
            contenders={
                "gramian": gramian,
                "scikit-learn": sklearn,
                "scikit-learn lobpcg": partial(sklearn, solver="lobpcg"),
                "scikit-learn amg": partial(sklearn, solver="amg"),
            },
            quality=AGREEMENT,
            aim=2.0,
        ),
        Workload(
            name=f"SpectralClustering, blobs 50k x 10, 10 neighbours, k=10{suffix}",
            dtype="float64",
            data=partial(labelled_blobs, n=50_000, d=10, k=10, spread=3.0, seed=seed),
            contenders={
                "gramian": gramian,
                "scikit-learn": partial(sklearn, solver="lobpcg"),  # arpack's factor takes minutes
                "scikit-learn amg": partial(sklearn, solver="amg"),
            },
            quality=AGREEMENT,
            aim=4.0,
            once=("scikit-learn", "scikit-learn amg"),
        ),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 0), *_workloads(", second data set", 10)]
