"""k-NN classification of real tables: fit and predict; the answer is the predictions.

The tables are found through GRAMIAN_DATA, the folder that also the tests use. Their columns are
small integers, so equal distances are common and two right answers may differ in a few rows.
"""

from __future__ import annotations

import csv
import gzip
import os
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.harness.workload import Quality, Workload

K = 5
FOLDER = os.environ.get("GRAMIAN_DATA")


def table(name, *, n):
    """At most n rows in a seeded order: three quarters to learn from, the others to predict."""
    with gzip.open(Path(FOLDER) / f"{name}.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    order = np.random.default_rng(0).permutation(len(rows))[:n]
    X = np.array([row[:-1] for row in rows], dtype=np.float64)[order]
    y = np.array([row[-1] for row in rows])[order]
    cut = 3 * len(X) // 4
    return X[:cut], X[cut:], y[:cut], y[cut:]


def accuracy(predicted, _X, _Q, _y, truth):
    return float(np.mean(predicted == truth))


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
