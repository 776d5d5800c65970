"""k-means: the same start and the same number of iterations for all; the result is the centres.

The time is that of a whole `fit`, labels of the last centres included. Nobody may stop early
(`tol=0`) unless no label moved, which ends Lloyd's algorithm. faiss does all iterations,
computes in float32, and by default trains on 256 points a centre; here it gets all points.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.data import blobs, noise
from benchmarks.harness.judges import inertia
from benchmarks.harness.workload import Quality, Workload

INERTIA = Quality("inertia", inertia, better="lower", agree=1e-3)
POTENTIAL = Quality("inertia of the start", inertia, better="lower", agree=0.05)


def with_start(make, *, k, n_iter, **shape):
    """The data, k of its rows as the start, and the maximum number of iterations."""
    X = make(**shape)
    rows = np.random.default_rng(1).choice(len(X), size=k, replace=False)
    return X, X[rows].copy(), n_iter


def lloyd_turns(X, centers):
    """Turns that Lloyd's algorithm takes until no label moves (the obvious way)."""
    C, labels, n_iter = centers.astype(np.float64), None, 0
    while True:
        now = ((C**2).sum(axis=1) - 2 * X @ C.T).argmin(axis=1)
        if labels is not None and (now == labels).all():
            return n_iter
        labels, n_iter = now, n_iter + 1
        C = np.stack([X[labels == j].mean(axis=0) for j in range(len(C))])


def to_the_end(make, *, k, **shape):
    """As `with_start`, with exactly the iterations to convergence, which faiss cannot detect."""
    X, start, _ = with_start(make, k=k, n_iter=0, **shape)
    return X, start, lloyd_turns(X, start) + 1


def gramian(X, start, n_iter):
    from gramian import KMeans

    model = KMeans(len(start), init=start, n_init=1, max_iter=n_iter, tol=0)
    return model.fit(X).cluster_centers_


def sklearn(X, start, n_iter):
    from sklearn.cluster import KMeans

    model = KMeans(len(start), init=start, n_init=1, max_iter=n_iter, tol=0)
    return model.fit(X).cluster_centers_


def intelex(X, start, n_iter):
    from sklearnex.cluster import KMeans

    model = KMeans(len(start), init=start, n_init=1, max_iter=n_iter, tol=0)
    return model.fit(X).cluster_centers_


def faiss(X, start, n_iter):
    from faiss import Kmeans

    k, d = start.shape
    model = Kmeans(d, k, niter=n_iter, max_points_per_centroid=len(X), min_points_per_centroid=1)
    model.train(X, init_centroids=start.astype(np.float32))
    model.assign(X)
    return model.centroids


def gramian_start(X, k):
    from gramian.cluster import kmeans_plusplus

    return kmeans_plusplus(X, k, random_state=0)[0]


def sklearn_start(X, k):
    from sklearn.cluster import kmeans_plusplus

    return kmeans_plusplus(X, k, random_state=0)[0]


def start_only(*, n, d, k):
    return blobs(n, d, k, dtype="float32"), k


LLOYD = {
    "gramian": gramian,
    "scikit-learn": sklearn,
    "scikit-learn-intelex": intelex,
    "faiss": faiss,
}

WORKLOADS = [
    Workload(
        name="k-means, blobs 100k x 32, k=100, 30 iterations",
        dtype="float32",
        data=partial(
            with_start, partial(blobs, d=32, k=100, dtype="float32"), n=100_000, k=100, n_iter=30
        ),
        contenders=LLOYD,
        quality=INERTIA,
        aim=3.0,
        flops=2.0 * 100_000 * 32 * 100 * 31,
    ),
    Workload(
        name="k-means, noise 100k x 32, k=100, 30 iterations",
        dtype="float32",
        data=partial(
            with_start, partial(noise, d=32, dtype="float32"), n=100_000, k=100, n_iter=30
        ),
        contenders=LLOYD,
        quality=INERTIA,
        aim=2.0,
        flops=2.0 * 100_000 * 32 * 100 * 31,
    ),
    Workload(
        name="k-means, blobs 1M x 3, k=64, 30 iterations",
        dtype="float64",
        data=partial(
            with_start, partial(blobs, d=3, k=64, spread=1.0), n=1_000_000, k=64, n_iter=30
        ),
        contenders=LLOYD,
        quality=INERTIA,
        aim=2.0,
        flops=2.0 * 1_000_000 * 3 * 64 * 31,
    ),
    Workload(
        name="k-means, blobs 10k x 784, k=10, to convergence",
        dtype="float32",
        data=partial(to_the_end, partial(blobs, d=784, k=10, dtype="float32"), n=10_000, k=10),
        contenders=LLOYD,
        quality=INERTIA,
        aim=2.0,
    ),
    Workload(
        name="k-means++, blobs 100k x 32, k=100",
        dtype="float32",
        data=partial(start_only, n=100_000, d=32, k=100),
        contenders={"gramian": gramian_start, "scikit-learn": sklearn_start},
        quality=POTENTIAL,
        aim=8.0,
    ),
]
