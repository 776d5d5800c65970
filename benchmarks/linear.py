"""Least squares and ridge: whole `fit` calls with default settings.

The answer is the coefficients with the intercept last; the judge is the mean squared error on
the training rows, whose minimum is unique. RidgeCV's answer is the model at the alpha that
leave-one-out chose, so a wrong choice shows as well.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.workload import Quality, Workload

ALPHAS = np.logspace(-3, 5, 50)


def rows(*, n, d, dtype="float64"):
    """Independent normal columns and a noisy linear target."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d), dtype=np.float32).astype(dtype)
    y = X @ rng.standard_normal(d).astype(dtype) + rng.standard_normal(n).astype(dtype) + 1
    return X, y


def mean_squared_error(answer, X, y):
    """The mean squared residual, in double, block by block."""
    model = np.asarray(answer, dtype=np.float64)
    total = 0.0
    for part in np.array_split(np.arange(len(y)), 1 + X.size // 1_000_000):
        r = y[part] - X[part] @ model[:-1] - model[-1]
        total += float(r @ r)
    return total / len(y)


LEAST_SQUARES = Quality("mean squared error", mean_squared_error, better="lower", agree=1e-8)
CHOSEN = Quality("mean squared error", mean_squared_error, better="neither", agree=1e-8)


def answer(model):
    return np.append(np.ravel(model.coef_), model.intercept_)


def gramian(X, y):
    from gramian import LinearRegression

    return answer(LinearRegression().fit(X, y))


def sklearn(X, y):
    from sklearn.linear_model import LinearRegression

    return answer(LinearRegression().fit(X, y))


def intelex(X, y):
    from sklearnex.linear_model import LinearRegression

    return answer(LinearRegression().fit(X, y))


def gramian_cv(X, y):
    from gramian import RidgeCV

    return answer(RidgeCV(ALPHAS).fit(X, y))


def sklearn_cv(X, y):
    from sklearn.linear_model import RidgeCV

    return answer(RidgeCV(ALPHAS).fit(X, y))


PEERS = {"gramian": gramian, "scikit-learn": sklearn, "scikit-learn-intelex": intelex}

WORKLOADS = [
    Workload(
        name="LinearRegression, 1M x 50",
        dtype="float64",
        data=partial(rows, n=1_000_000, d=50),
        contenders=PEERS,
        quality=LEAST_SQUARES,
        aim=1.5,
        flops=1_000_000.0 * 51 * 52,
    ),
    Workload(
        name="LinearRegression, 1M x 50",
        dtype="float32",
        data=partial(rows, n=1_000_000, d=50, dtype="float32"),
        contenders=PEERS,
        quality=LEAST_SQUARES,
        aim=1.0,
        flops=1_000_000.0 * 51 * 52,
    ),
    Workload(
        name="RidgeCV, 100k x 200, 50 alphas, leave-one-out",
        dtype="float64",
        data=partial(rows, n=100_000, d=200),
        contenders={"gramian": gramian_cv, "scikit-learn": sklearn_cv},
        quality=CHOSEN,
        aim=25.0,
    ),
]
