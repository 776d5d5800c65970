"""Exact decision trees: fit, and predictions of rows held out; then predictions alone.

snapml is asked for exact splits; YDF's CART sorts too (its own pruning is switched off). For
predictions alone a model is fitted by the first call of a process and kept; the median of the calls
is then that of the others.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from benchmarks.harness.data import tab
from benchmarks.harness.workload import Quality, Workload

LEAF = 5
HELD_OUT = 10_000


def accuracy(predicted, _X, _y, _T, truth):
    return float(np.mean(np.asarray(predicted) == truth))


def r_squared(predicted, _X, _y, _T, truth):
    residual = truth - np.asarray(predicted)
    return float(1 - residual.var() / truth.var())


def classes(*, n, d):
    """n rows to fit with two classes, and rows held out."""
    X, y = tab(n + HELD_OUT, d)
    y = (y > 0).astype(np.int64)
    return X[:n].copy(), y[:n], X[n:].copy(), y[n:]


def numbers(*, n, d):
    """n rows to fit with numbers, and rows held out."""
    X, y = tab(n + HELD_OUT, d)
    return X[:n].copy(), y[:n], X[n:].copy(), y[n:]


def many_rows(*, n):
    """n rows to fit, ten times as many to predict."""
    X, y = tab(11 * n, 20)
    y = (y > 0).astype(np.int64)
    return X[:n].copy(), y[:n], X[n:].copy(), y[n:]


def one_row(*, n):
    """n rows to fit, one to predict."""
    X, y, T, truth = many_rows(n=n)
    return X, y, T[:1], truth[:1]


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


class YdfTree:
    """YDF's model, which takes columns by name."""

    def __init__(self, X, y, depth, number):
        import ydf

        learner = ydf.CartLearner(
            label="y",
            task=ydf.Task.REGRESSION if number else ydf.Task.CLASSIFICATION,
            max_depth=-1 if depth is None else depth,
            min_examples=LEAF,
            validation_ratio=0.0,
            num_threads=2,
        )
        self.number = number
        self.model = learner.train({**self.columns(X), "y": y}, verbose=0)

    def columns(self, X):
        return {f"x{j}": X[:, j] for j in range(X.shape[1])}

    def predict(self, X):
        predicted = self.model.predict(self.columns(X))
        return predicted if self.number else (predicted > 0.5).astype(np.int64)


FITS = {
    "gramian": gramian_tree,
    "scikit-learn": sklearn_tree,
    "snapml": snapml_tree,
    "ydf": YdfTree,
}


def fit_and_predict(fit, X, y, T, _truth, *, depth=None, number=False):
    return fit(X, y, depth, number).predict(T)


def contenders(**settings):
    return {name: partial(fit_and_predict, fit, **settings) for name, fit in FITS.items()}


@cache
def fitted(name):
    X, y, _, _ = many_rows(n=1)
    return FITS[name](X, y, None, False)


def predict_only(name, _X, _y, T, _truth):
    return fitted(name).predict(T)


PREDICTORS = {name: partial(predict_only, name) for name in FITS}
ACCURACY = Quality("accuracy", accuracy, better="higher", agree=0.02)
R_SQUARED = Quality("R^2", r_squared, better="higher", agree=0.02)

WORKLOADS = [
    Workload(
        name="exact tree, 100k x 20, 2 classes, min_samples_leaf 5",
        dtype="float32",
        data=partial(classes, n=100_000, d=20),
        contenders=contenders(),
        quality=ACCURACY,
        aim=1.8,
    ),
    Workload(
        name="exact tree, 1M x 10, 2 classes, depth 10",
        dtype="float32",
        data=partial(classes, n=1_000_000, d=10),
        contenders=contenders(depth=10),
        quality=ACCURACY,
        aim=1.8,
    ),
    Workload(
        name="exact regression tree, 100k x 20, min_samples_leaf 5",
        dtype="float32",
        data=partial(numbers, n=100_000, d=20),
        contenders=contenders(number=True),
        quality=R_SQUARED,
        aim=1.8,
    ),
    Workload(
        name="tree of 100k x 20: predict 1M rows",
        dtype="float32",
        data=partial(many_rows, n=100_000),
        contenders=PREDICTORS,
        quality=Quality("accuracy", accuracy, better="higher", agree=0.02),
        aim=3.0,
        repeat=3,
    ),
    Workload(
        name="tree of 100k x 20: predict one row",
        dtype="float32",
        data=partial(one_row, n=100_000),
        contenders=PREDICTORS,
        quality=Quality("accuracy", accuracy, better="neither", agree=1.0),
        aim=10.0,
        repeat=300,
    ),
]
