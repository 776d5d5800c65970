"""k-d trees, build and query together; the result is the indices of the k nearest rows."""

from __future__ import annotations

from functools import partial

from benchmarks.harness.data import cloud
from benchmarks.harness.judges import sum_of_distances
from benchmarks.harness.workload import Quality, Workload

K = 8
SUM = Quality("sum of distances", sum_of_distances, better="neither", agree=1e-9)


def points_and_queries(*, n, m, d):
    """n points and m queries of one normal distribution."""
    return cloud(n, d, seed=0), cloud(min(m, n), d, seed=1)


def gramian_tree(X, Q):
    from gramian.neighbors import KDTree

    return KDTree(X).query(Q, k=K)[1]


def gramian(X, Q):
    from gramian import NearestNeighbors

    return NearestNeighbors(n_neighbors=K).fit(X).kneighbors(Q)[1]


def sklearn(X, Q):
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=K, algorithm="kd_tree", n_jobs=2).fit(X)
    return model.kneighbors(Q)[1]


def scipy(X, Q):
    from scipy.spatial import KDTree

    return KDTree(X).query(Q, k=K, workers=2)[1]


def pykdtree(X, Q):
    from pykdtree.kdtree import KDTree

    return KDTree(X).query(Q, k=K)[1]


PEERS = {"scipy": scipy, "scikit-learn": sklearn, "pykdtree": pykdtree}

WORKLOADS = [
    Workload(
        name="k-d tree, 500k x 3, 200k queries, k=8",
        dtype="float64",
        data=partial(points_and_queries, n=500_000, m=200_000, d=3),
        contenders={"gramian": gramian_tree, **PEERS},
        quality=SUM,
        aim=1.5,
    ),
    Workload(
        name="k-NN, tree or not, 100k x 10, 10k queries, k=8",
        dtype="float64",
        data=partial(points_and_queries, n=100_000, m=10_000, d=10),
        contenders={"gramian": gramian, **PEERS},
        quality=SUM,
        aim=4.0,
    ),
]
