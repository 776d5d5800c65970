"""Logistic and softmax regression: the whole `fit`; the answer is the coefficients and the bias.

The judge computes sum of losses + |w|^2 / 2 (C = 1, bias not penalised) in float64. Everybody
gets a tolerance that reaches the relative objective in the workload's name, found by trying on
similar data and not loosened as far as each workload allows, so peers may do more than asked;
liblinear penalises the bias, so its dual cannot come closer than about 2e-6 and is given a large
`intercept_scaling` where more is asked.
"""

from __future__ import annotations

import csv
import gzip
import os
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, log_softmax

from benchmarks.harness.workload import Quality, Workload


def objective(answer, X, y):
    """Sum of the losses and |w|^2 / 2."""
    coef, bias = (np.asarray(part, dtype=np.float64) for part in answer)
    total = (coef**2).sum() / 2
    step = max(1, 10_000_000 // (X.shape[1] if not sp.issparse(X) else 100))
    for first in range(0, X.shape[0], step):
        z = X[first : first + step] @ coef.T + bias
        labels = y[first : first + step]
        if len(coef) == 1:
            total += (np.logaddexp(0, z[:, 0]) - labels * z[:, 0]).sum()
        else:
            total -= log_softmax(z, axis=1)[np.arange(len(labels)), labels].sum()
    return float(total)


def two_classes(*, n, d, seed=0):
    """Correlated normal columns and labels of a logistic model."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d)) / np.sqrt(d))
    z = X @ rng.normal(size=d)
    return X, (rng.random(n) < expit(2 * z / z.std() + 0.3)).astype(np.int64)


def many_classes(*, n, d, classes, seed=0):
    """Normal columns and labels of a softmax model."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Z = 2 * X @ rng.normal(size=(d, classes)) / np.sqrt(d)
    return X, (Z + rng.gumbel(size=Z.shape)).argmax(axis=1)


def letters(*, n=20_000):
    """The letter recognition data of GRAMIAN_DATA, 16 columns and 26 classes."""
    path = Path(os.environ["GRAMIAN_DATA"]) / "letterrecognition.csv.gz"
    with gzip.open(path, "rt") as file:
        table = np.array(list(csv.reader(file))[1 : n + 1])
    X = np.ascontiguousarray(table[:, :-1].astype(float))
    return X, np.unique(table[:, -1], return_inverse=True)[1]


def text(*, n, d=100_000, per_row=100, seed=0):
    """Sparse rows with columns of very different frequency, as words have."""
    rng = np.random.default_rng(seed)
    columns = np.minimum((d * rng.random((n, per_row)) ** 3).astype(np.int32), d - 1)
    values = np.abs(rng.normal(size=(n, per_row)))
    ends = np.arange(0, n * per_row + 1, per_row, dtype=np.int32)
    X = sp.csr_array((values.ravel(), columns.ravel(), ends), shape=(n, d))
    X.sum_duplicates()
    z = X @ rng.normal(size=d)
    return X, (rng.random(n) < expit(2 * z / z.std())).astype(np.int64)


def answer(model):
    return model.coef_, model.intercept_


def gramian(X, y, *, tol):
    from gramian import LogisticRegression

    return answer(LogisticRegression(tol=tol).fit(X, y))


def sklearn(X, y, *, solver, tol, **settings):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(solver=solver, tol=tol, max_iter=5000, **settings)
    return answer(model.fit(X, y))


def intelex(X, y, *, tol, solver="lbfgs"):
    from sklearnex.linear_model import LogisticRegression

    return answer(LogisticRegression(solver=solver, tol=tol, max_iter=5000).fit(X, y))


def quality(agree):
    return Quality("objective", objective, better="lower", agree=agree)


def dense(name, n, d, aim, tol, repeat=1):
    return Workload(
        name=name,
        dtype="float64",
        data=partial(two_classes, n=n, d=d),
        contenders={
            "gramian": partial(gramian, tol=tol),
            "scikit-learn": partial(sklearn, solver="lbfgs", tol=1e-5),
            "scikit-learn newton-cholesky": partial(sklearn, solver="newton-cholesky", tol=1e-4),
            "scikit-learn newton-cg": partial(sklearn, solver="newton-cg", tol=1e-4),
            "scikit-learn-intelex": partial(intelex, tol=1e-3),
            "scikit-learn-intelex newton-cg": partial(intelex, solver="newton-cg", tol=1e-4),
        },
        quality=quality(1e-8),
        aim=aim,
        repeat=repeat,
    )


def softmax(name, data, aim, tol):
    return Workload(
        name=name,
        dtype="float64",
        data=data,
        contenders={
            "gramian": partial(gramian, tol=tol),
            "scikit-learn": partial(sklearn, solver="lbfgs", tol=1e-5),
            "scikit-learn newton-cg": partial(sklearn, solver="newton-cg", tol=1e-4),
            "scikit-learn-intelex": partial(intelex, tol=1e-4),
        },
        quality=quality(1e-6),
        aim=aim,
    )


def sparse(agree, tol, peers):
    return Workload(
        name=f"logistic, sparse 20k x 100k, 100 a row, to {agree:g}",
        dtype="float64",
        data=partial(text, n=20_000),
        contenders={"gramian": partial(gramian, tol=tol)}
        | {name: partial(sklearn, **settings) for name, settings in peers.items()},
        quality=quality(agree),
        aim=2.0,
        why="the dual coordinate descent of liblinear visits each row a dozen times",
    )


WORKLOADS = [
    dense("logistic, 500k x 50, to 1e-8", 500_000, 50, 2.5, 1e-5),
    dense("logistic, 100k x 10, to 1e-8", 100_000, 10, 2.5, 1e-5),
    dense("logistic, 5k x 20, to 1e-8", 5000, 20, 3.0, 1e-5, repeat=5),
    softmax(
        "softmax, 60k x 100, 10 classes",
        partial(many_classes, n=60_000, d=100, classes=10),
        4.0,
        1e-4,
    ),
    *(
        [softmax("softmax, letters 20k x 16, 26 classes", letters, 4.0, 1e-5)]
        if os.environ.get("GRAMIAN_DATA")
        else []
    ),
    sparse(
        1e-4,
        2e-4,
        {
            "scikit-learn": {"solver": "newton-cg", "tol": 5e-5},
            "scikit-learn liblinear": {"solver": "liblinear", "tol": 1e-3},
            "scikit-learn liblinear dual": {"solver": "liblinear", "tol": 0.1, "dual": True},
            "scikit-learn lbfgs": {"solver": "lbfgs", "tol": 3e-5},
        },
    ),
    sparse(
        1e-6,
        1e-4,
        {
            "scikit-learn": {"solver": "newton-cg", "tol": 1e-5},
            "scikit-learn liblinear dual": {
                "solver": "liblinear",
                "tol": 0.01,
                "dual": True,
                "intercept_scaling": 10,
            },
        },
    ),
]
