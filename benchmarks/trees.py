"""Exact decision trees: fit, and predictions of rows held out; then predictions alone.

snapml makes exact splits; YDF's CART sorts too (its own pruning is switched off). For
predictions alone a process fits its model while it warms up, before any clock runs.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from benchmarks.harness.data import tab_classes, tab_numeric
from benchmarks.harness.judges import accuracy, r_squared
from benchmarks.harness.workload import Quality, Workload
from benchmarks.harness.ydf_model import YdfModel

LEAF = 5


def rows_to_predict(*, n):
    """n rows that no tree was fitted to."""
    _, _, X, y = tab_classes(n=100_000, d=20, held_out=n)
    return X, y


def gramian_tree(X, y, depth, number):
    from gramian import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if number else DecisionTreeClassifier
    return kind(max_depth=depth, min_samples_leaf=LEAF).fit(X, y)


def sklearn_tree(X, y, depth, number):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if number else DecisionTreeClassifier
    return kind(max_depth=depth, min_samples_leaf=LEAF, random_state=0).fit(X, y)


def snapml_tree(X, y, depth, number):
    from snapml import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if number else DecisionTreeClassifier
    model = kind(
        max_depth=depth, min_samples_leaf=LEAF, n_jobs=2, use_histograms=False, random_state=0
    )
    model.fit(X, y)
    return model


def ydf_tree(X, y, depth, number):
    options = {"max_depth": -1 if depth is None else depth, "min_examples": LEAF}
    return YdfModel("CartLearner", X, y, number, validation_ratio=0.0, **options)


FITS = {
    "gramian": gramian_tree,
    "scikit-learn": sklearn_tree,
    "snapml": snapml_tree,
    "ydf": ydf_tree,
}


def fit_and_predict(fit, X, y, T, _truth, *, depth=None, number=False):
    return fit(X, y, depth, number).predict(T)


def contenders(**settings):
    return {name: partial(fit_and_predict, fit, **settings) for name, fit in FITS.items()}


@cache
def fitted(name):
    X, y, _, _ = tab_classes(n=100_000, d=20)
    return FITS[name](X, y, None, False)


def at_once(name, T, _truth):
    return fitted(name).predict(T)


def one_by_one(name, T, _truth):
    model = fitted(name)
    return np.concatenate([model.predict(T[i : i + 1]) for i in range(len(T))])


ACCURACY = Quality("accuracy", accuracy, better="higher", agree=0.02)
R_SQUARED = Quality("R^2", r_squared, better="higher", agree=0.02)

WORKLOADS = [
    Workload(
        name="exact tree, 100k x 20, 2 classes, min_samples_leaf 5",
        dtype="float32",
        data=partial(tab_classes, n=100_000, d=20),
        contenders=contenders(),
        quality=ACCURACY,
        aim=1.8,
    ),
    Workload(
        name="exact tree, 1M x 10, 2 classes, depth 10",
        dtype="float32",
        data=partial(tab_classes, n=1_000_000, d=10),
        contenders=contenders(depth=10),
        quality=ACCURACY,
        aim=1.8,
    ),
    Workload(
        name="exact regression tree, 100k x 20, min_samples_leaf 5",
        dtype="float32",
        data=partial(tab_numeric, n=100_000, d=20),
        contenders=contenders(number=True),
        quality=R_SQUARED,
        aim=1.8,
    ),
    Workload(
        name="tree of 100k x 20: predict 1M rows",
        dtype="float32",
        data=partial(rows_to_predict, n=1_000_000),
        contenders={name: partial(at_once, name) for name in FITS},
        quality=ACCURACY,
        aim=3.0,
        repeat=3,
    ),
    Workload(
        name="tree of 100k x 20: predict 1000 rows, one at a time",
        dtype="float32",
        data=partial(rows_to_predict, n=1000),
        contenders={name: partial(one_by_one, name) for name in FITS},
        quality=ACCURACY,
        aim=10.0,
    ),
]
