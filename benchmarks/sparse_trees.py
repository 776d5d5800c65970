"""Trees and forests on sparse rows: fit and predictions of rows held out.

"1 % non-zeros" has entries at random places; "text" has words drawn by Zipf's law, about 80
different ones of 50,000 in a row, with log(1 + count). Forests have ten trees grown out, on two
threads.
LightGBM, which bins the values, is there for gradient boosting.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.sparse as sp

from benchmarks.harness.judges import accuracy
from benchmarks.harness.workload import Quality, Workload

TREES = 10


def scattered(*, n, d=2_000, density=0.01):
    """Entries at random places; the class is the sign of a linear function of the row."""
    rng = np.random.default_rng(0)
    X = sp.random_array((n + n // 10, d), density=density, rng=rng, format="csr")
    X = _small_indices(X.astype(np.float32))
    y = (X @ rng.normal(size=d) > 0).astype(np.int64)
    return X[:n], y[:n], X[n:], y[n:]


def text(*, n, d=50_000, words=100):
    """Words drawn by Zipf's law; the class is a linear function of the logarithms of counts."""
    rng = np.random.default_rng(0)
    p = 1 / np.arange(1, d + 1)
    m = n + n // 10
    drawn = rng.choice(d, size=(m, words), p=p / p.sum()).ravel()
    rows = np.repeat(np.arange(m), words)
    X = sp.csr_array((np.ones(m * words, np.float32), (rows, drawn)), shape=(m, d))
    X.sum_duplicates()
    X.data = np.log1p(X.data)
    X = _small_indices(X)
    score = X @ (rng.normal(size=d) * np.arange(1, d + 1) ** 0.25)
    y = (score > np.median(score)).astype(np.int64)
    return X[:n], y[:n], X[n:], y[n:]


def _small_indices(X):
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X


def fit_and_predict(library, name, settings, X, y, T, _truth):
    import importlib

    family = "tree" if name.startswith("Decision") else "ensemble"
    package = "gramian" if library == "gramian" else "sklearn"
    kind = getattr(importlib.import_module(f"{package}.{family}"), name)
    return kind(random_state=0, **settings).fit(X, y).predict(T)


def lightgbm_boosting(X, y, T, _truth):
    import lightgbm

    settings = {"n_estimators": 50, "max_depth": 3, "min_child_samples": 1}
    return lightgbm.LGBMClassifier(n_jobs=2, verbose=-1, **settings).fit(X, y).predict(T)


def contenders(name, **settings):
    return {
        library: partial(fit_and_predict, library, name, settings)
        for library in ("gramian", "scikit-learn")
    }


def workload(name, data, kind, *, agree=0.03, **settings):
    return Workload(
        name=name,
        dtype="float32",
        data=data,
        contenders=contenders(kind, **settings),
        quality=Quality("accuracy", accuracy, better="higher", agree=agree),
        aim=3.0,
        once=("scikit-learn",),
    )


SCATTERED, TEXT = partial(scattered, n=50_000), partial(text, n=20_000)
FOREST = {"n_estimators": TREES, "n_jobs": 2}

WORKLOADS = [
    workload("sparse tree, 50k x 2,000, 1 % non-zeros", SCATTERED, "DecisionTreeClassifier"),
    workload(
        "sparse forest, 50k x 2,000, 1 % non-zeros, 10 trees",
        SCATTERED,
        "RandomForestClassifier",
        **FOREST,
    ),
    workload(
        "sparse extra trees, 50k x 2,000, 1 % non-zeros, 10 trees",
        SCATTERED,
        "ExtraTreesClassifier",
        **FOREST,
    ),
    # Ten trees are right for little more than half of the 2,000 rows held out: two of the same
    # forest with other seeds differ by up to .03.
    workload(
        "text forest, 20k x 50k, 10 trees", TEXT, "RandomForestClassifier", agree=0.06, **FOREST
    ),
    workload(
        "text extra trees, 20k x 50k, 10 trees", TEXT, "ExtraTreesClassifier", agree=0.06, **FOREST
    ),
    Workload(
        name="text boosting, 20k x 50k, 50 trees of depth 3",
        dtype="float32",
        data=TEXT,
        contenders={
            **contenders("GradientBoostingClassifier", n_estimators=50),
            "LightGBM": lightgbm_boosting,
        },
        quality=Quality("accuracy", accuracy, better="higher", agree=0.03),
        aim=3.0,
        once=("scikit-learn",),
    ),
]
