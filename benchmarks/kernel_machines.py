"""Kernel machines: the whole `fit`, or the whole `predict`.

The judge computes the dual objective of the fitted machine in float64, or the accuracy on the
training rows for several classes, or the mean accuracy of cross-validation. All have the default
tolerance of 1e-3 and cache_size=200. scikit-learn-intelex is the other peer where it is installed.
"""

from __future__ import annotations

import os
from functools import partial
from importlib.util import find_spec

import numpy as np
from sklearn.datasets import make_classification

from benchmarks.harness.data import real_table
from benchmarks.harness.workload import Quality, Workload


def two_classes(n, d, seed):
    X, y = make_classification(
        n, d, n_informative=d // 2, n_redundant=2, flip_y=0.05, class_sep=0.8, random_state=seed
    )
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def numbers(n, d, seed):
    X, _ = two_classes(n, d, seed)
    noise = np.random.default_rng(seed).normal(size=n)
    return X, np.sin(X[:, 0]) + 0.3 * X[:, 1] * X[:, 2] + 0.2 * noise


def letters(n=20_000):
    X, y = real_table("letterrecognition", n=n)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def folds(n, d, seed):
    X, y = two_classes(n, d, seed)
    gammas = 1 / (d * X.var()) * 2.0 ** np.array([-4, -2, 0, 2, 4])
    return X, y, [0.1, 1.0, 10.0, 100.0, 1000.0], gammas.tolist()


def new_rows(n, seed, d=20):
    """n / 10 rows that nearly all become support vectors, by noise in the labels; n new rows."""
    vectors = n // 10
    X, y = two_classes(n + vectors, d, seed)
    y = np.where(np.random.default_rng(seed).random(len(y)) < 0.45, 1 - y, y)
    return X[:vectors], y[:vectors], X[vectors:]


def machine(library, name):
    if library == "gramian":
        import gramian

        return getattr(gramian, name)
    if library == "scikit-learn":
        import sklearn.svm

        return getattr(sklearn.svm, name)
    import sklearnex.svm

    return getattr(sklearnex.svm, name)


def fit(X, y, *, library, kind):
    return machine(library, kind)().fit(X, y)


FITTED = {}


def predict(V, labels, X, *, library):
    """Scores of new rows; the first round fits the machine, so the best one has only the scores."""
    if len(V) not in FITTED:  # once for the little data of the warm-up
        FITTED[len(V)] = machine(library, "SVC")(C=0.5, gamma=0.05).fit(V, labels)
    return FITTED[len(V)].decision_function(X)


def search(X, y, Cs, gammas, *, library):
    if library == "gramian":
        from gramian import SVCGridCV

        return SVCGridCV(Cs=Cs, gammas=gammas).fit(X, y).best_score_
    from sklearn.model_selection import GridSearchCV

    grid = {"C": Cs, "gamma": gammas}
    return GridSearchCV(machine(library, "SVC")(), grid, n_jobs=2).fit(X, y).best_score_


def dual(model, X, y, *, labels):
    """The value of the dual objective, which is minimised."""
    gamma = 1 / (X.shape[1] * X.var())
    V, b = X[np.asarray(model.support_)], np.asarray(model.dual_coef_, dtype=float)[0]
    total = 0.0
    for first in range(0, len(V), 1000):
        part = V[first : first + 1000]
        squares = (part**2).sum(axis=1)[:, None] + (V**2).sum(axis=1) - 2 * part @ V.T
        total += 0.5 * b[first : first + 1000] @ (np.exp(-gamma * np.maximum(squares, 0)) @ b)
    linear = 0.0 if labels else b @ y[np.asarray(model.support_)]
    return float(total - linear + (-1.0 if labels else 0.1) * np.abs(b).sum())


def accuracy(model, X, y):
    return float(np.mean(np.asarray(model.predict(X[:4000])) == y[:4000]))


def mean_score(answer, V, labels, X):  # noqa: ARG001
    return float(np.abs(answer).mean())


def given_score(answer, *data):  # noqa: ARG001
    return float(answer)


PEERS = ("scikit-learn", *(("scikit-learn-intelex",) if find_spec("sklearnex") else ()))


def workload(name, data, task, quality, aim, once=(), **settings):
    return Workload(
        name=name,
        dtype="float64",
        data=data,
        contenders={
            library: partial(task, library=library, **settings) for library in ("gramian", *PEERS)
        },
        quality=quality,
        aim=aim,
        once=once,
    )


LABELS = Quality("dual objective", partial(dual, labels=True), better="neither", agree=1e-4)
TARGETS = Quality("dual objective", partial(dual, labels=False), better="neither", agree=1e-4)
ACCURACY = Quality("accuracy", accuracy, better="higher", agree=1e-3)
SCORES = Quality("mean of the scores' size", mean_score, better="neither", agree=1e-3)
FOLDS = Quality("best accuracy", given_score, better="higher", agree=1e-3)


def _workloads(suffix, seed):
    small = partial(two_classes, n=10_000, d=20, seed=seed)
    wide = partial(two_classes, n=40_000, d=50, seed=seed)
    targets = partial(numbers, n=10_000, d=20, seed=seed)
    rows = partial(new_rows, n=50_000, seed=seed)
    grid = partial(folds, n=5000, d=30, seed=seed)
    scores, search_name = (
        "SVC rbf, scores of 50k rows, 5k vectors",
        "5 C x 5 gamma x 5 folds, 5k x 30",
    )
    return [
        workload(f"SVC rbf, 10k x 20{suffix}", small, fit, LABELS, 6.0, kind="SVC"),
        workload(f"SVR rbf, 10k x 20{suffix}", targets, fit, TARGETS, 10.0, kind="SVR"),
        workload(f"SVC rbf, 40k x 50{suffix}", wide, fit, LABELS, 4.0, PEERS[:1], kind="SVC"),
        workload(f"{scores}{suffix}", rows, predict, SCORES, 2.0),
        workload(f"{search_name}{suffix}", grid, search, FOLDS, 10.0, PEERS),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 11), *_workloads(", second data set", 21)]
if os.environ.get("GRAMIAN_DATA"):
    WORKLOADS.append(
        workload("SVC rbf, letters, 26 classes", letters, fit, ACCURACY, 8.0, kind="SVC")
    )
