"""Small data, where the cost of a call is all there is: 200 rows, fit and predict."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.data import blobs
from benchmarks.harness.judges import accuracy, inertia
from benchmarks.harness.workload import Quality, Workload

GROUPS = 4


def rows(*, n):
    """At most 200 rows of 4 blobs."""
    return (blobs(min(n, 200), 5, GROUPS),)


def rows_with_classes(*, n):
    """At most 200 rows of two overlapping classes."""
    X = blobs(min(n, 200), 5, GROUPS)
    return X, (X[:, 0] + X[:, 1] > 0).astype(np.int64)


def gramian_knn(X, y):
    from gramian import KNeighborsClassifier

    return KNeighborsClassifier().fit(X, y).predict(X)


def sklearn_knn(X, y):
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier().fit(X, y).predict(X)


def gramian_kmeans(X):
    from gramian import KMeans

    model = KMeans(GROUPS, n_init=1, random_state=0).fit(X)
    model.predict(X)
    return model.cluster_centers_


def sklearn_kmeans(X):
    from sklearn.cluster import KMeans

    model = KMeans(GROUPS, n_init=1, random_state=0).fit(X)
    model.predict(X)
    return model.cluster_centers_


WORKLOADS = [
    Workload(
        name="k-NN classifier, 200 x 5, fit + predict",
        dtype="float64",
        data=partial(rows_with_classes, n=200),
        contenders={"gramian": gramian_knn, "scikit-learn": sklearn_knn},
        quality=Quality("accuracy", accuracy, better="higher", agree=0.0),
        aim=1.0,
        repeat=200,
    ),
    Workload(
        name="k-means, 200 x 5, k=4, fit + predict",
        dtype="float64",
        data=partial(rows, n=200),
        contenders={"gramian": gramian_kmeans, "scikit-learn": sklearn_kmeans},
        quality=Quality("inertia", inertia, better="lower", agree=1e-6),
        aim=1.0,
        repeat=200,
    ),
]
