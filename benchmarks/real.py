"""k-NN classification of real tables: fit and predict; the answer is the predictions.

The tables are found through GRAMIAN_DATA, the folder that also the tests use. Their columns are
small integers, so equal distances are common and two right answers may differ in a few rows.
"""

from __future__ import annotations

import os
from functools import partial

from benchmarks.harness.data import real_table
from benchmarks.harness.judges import accuracy
from benchmarks.harness.workload import Quality, Workload

K = 5
FOLDER = os.environ.get("GRAMIAN_DATA")


def table(name, *, n):
    """At most n rows in a seeded order: three quarters to learn from, the others to predict."""
    X, y = real_table(name, n=n)
    cut = 3 * len(X) // 4
    return X[:cut], X[cut:], y[:cut], y[cut:]


def gramian(X, Q, y, _truth):
    from gramian import KNeighborsClassifier

    return KNeighborsClassifier(n_neighbors=K).fit(X, y).predict(Q)


def sklearn(X, Q, y, _truth):
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(n_neighbors=K, n_jobs=2).fit(X, y).predict(Q)


def intelex(X, Q, y, _truth):
    from sklearnex.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(n_neighbors=K).fit(X, y).predict(Q)


TABLES = {"letterrecognition": 20_000, "shuttle": 58_000}

WORKLOADS = [
    Workload(
        name=f"k-NN classifier, {name}, {rows} rows, k=5",
        dtype="float64",
        data=partial(table, name, n=rows),
        contenders={"gramian": gramian, "scikit-learn": sklearn, "scikit-learn-intelex": intelex},
        quality=Quality("accuracy", accuracy, better="higher", agree=2e-3),
        aim=1.0,
    )
    for name, rows in TABLES.items()
    if FOLDER
]
