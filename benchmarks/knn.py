"""Exhaustive search of the k nearest rows: build and query together; the result is the indices.

The judge computes the distances to the rows named, in float64. faiss computes in float32 only, so
float64 data is converted within its time.
"""

from __future__ import annotations

from functools import partial

from benchmarks.harness.data import blobs
from benchmarks.harness.judges import sum_of_distances
from benchmarks.harness.workload import Quality, Workload

K = 10
SUM32 = Quality("sum of distances", sum_of_distances, better="neither", agree=1e-6)
SUM64 = Quality("sum of distances", sum_of_distances, better="neither", agree=1e-9)


def points_and_queries(*, n, m, d, dtype):
    """n points and m other points of the same 50 blobs."""
    m = min(m, n)
    both = blobs(n + m, d, 50, dtype=dtype)
    return both[:n].copy(), both[n:].copy()


def points(*, n, d, dtype):
    """n points to be joined with themselves."""
    return blobs(n, d, 50, dtype=dtype), None


def gramian(X, Q):
    from gramian import NearestNeighbors

    model = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(X)
    return model.kneighbors(Q)[1]


def sklearn(X, Q):
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(X)
    return model.kneighbors(Q)[1]


def intelex(X, Q):
    from sklearnex.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(X)
    return model.kneighbors(Q)[1]


def faiss(X, Q):
    import numpy as np
    from faiss import IndexFlatL2

    X = X.astype(np.float32, copy=False)
    index = IndexFlatL2(X.shape[1])
    index.add(X)
    if Q is not None:
        return index.search(Q.astype(np.float32, copy=False), K)[1]
    found = index.search(X, K + 1)[1]  # one more, then drop the point itself
    keep = found != np.arange(len(X))[:, None]
    keep[keep.all(axis=1), K] = False
    return found[keep].reshape(len(X), K)


CONTENDERS = {
    "gramian": gramian,
    "scikit-learn": sklearn,
    "scikit-learn-intelex": intelex,
    "faiss": faiss,
}

WORKLOADS = [
    Workload(
        name="brute k-NN, 50k x 128, 5k queries, k=10",
        dtype="float32",
        data=partial(points_and_queries, n=50_000, m=5_000, d=128, dtype="float32"),
        contenders=CONTENDERS,
        quality=SUM32,
        aim=1.1,
        flops=2.0 * 50_000 * 5_000 * 128,
    ),
    Workload(
        name="brute k-NN, 50k x 128, 5k queries, k=10",
        dtype="float64",
        data=partial(points_and_queries, n=50_000, m=5_000, d=128, dtype="float64"),
        contenders=CONTENDERS,
        quality=SUM64,
        aim=1.6,
        flops=2.0 * 50_000 * 5_000 * 128,
    ),
    Workload(
        name="self-join, 20k x 16, k=10",
        dtype="float32",
        data=partial(points, n=20_000, d=16, dtype="float32"),
        contenders=CONTENDERS,
        quality=SUM32,
        aim=2.0,
        flops=2.0 * 20_000 * 20_000 * 16,
    ),
]
