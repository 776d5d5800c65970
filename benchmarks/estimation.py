"""Posteriors: a grid from sufficient statistics, and Bayesian linear regression.

The grid has 1000 x 1000 points of mean and variance of a normal sample; the peer is NumPy, which
adds the log density of one observation after another to the whole grid, in place. The judge takes
the expected mean and variance of the answer. For BayesianRidge all have the defaults but tol=1e-6,
and the judge is the mean squared error on the rows.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.workload import Quality, Workload

POINTS = 1000


def normal_sample(n=10_000, seed=0):
    x = np.random.default_rng(seed).normal(3.0, 2.0, size=n)
    spread = 8 / np.sqrt(n)
    grids = (
        np.linspace(3 - 2 * spread, 3 + 2 * spread, POINTS),
        np.linspace(max(0.5, 4 - 6 * spread), 4 + 6 * spread, POINTS),
    )
    return x, *grids


def gramian_grid(x, mean, variance):
    from gramian.distributions import Gaussian
    from gramian.textbook.estimation import grid_posterior

    return grid_posterior(Gaussian, {"mean": mean, "variance": variance}, data=x).mean


def numpy_grid(x, mean, variance):
    logs = np.zeros((len(mean), len(variance)))
    inverse = -0.5 / variance[None]
    one = np.empty_like(logs)
    for value in x:
        np.multiply(((value - mean) ** 2)[:, None], inverse, out=one)
        logs += one
    logs -= 0.5 * len(x) * np.log(2 * np.pi * variance)
    mass = np.exp(logs - logs.max())
    mass /= mass.sum()
    return np.array([mass.sum(axis=1) @ mean, mass.sum(axis=0) @ variance])


def expected(answer, *_):
    return float(np.sum(answer))


def line(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X @ rng.normal(size=d) + rng.normal(size=n)


def gramian_ridge(X, y):
    from gramian import BayesianRidge

    return BayesianRidge(tol=1e-6).fit(X, y).predict(X)


def sklearn_ridge(X, y):
    from sklearn.linear_model import BayesianRidge

    return BayesianRidge(tol=1e-6).fit(X, y).predict(X)


def squared_error(answer, _, y):
    return float(((answer - y) ** 2).mean())


def ridge(name, aim, **shape):
    return Workload(
        name=name,
        dtype="float64",
        data=partial(line, **shape),
        contenders={"gramian": gramian_ridge, "scikit-learn": sklearn_ridge},
        quality=Quality("mean squared error", squared_error, better="neither", agree=1e-6),
        aim=aim,
    )


def grid(note, seed):
    return Workload(
        name=f"grid posterior, 1000 x 1000 points, 10k observations{note}",
        dtype="float64",
        data=partial(normal_sample, seed=seed),
        contenders={"gramian": gramian_grid, "NumPy": numpy_grid},
        quality=Quality("expected mean + variance", expected, better="neither", agree=1e-4),
        aim=100.0,
        once=("NumPy",),
    )


WORKLOADS = [
    grid("", 0),
    grid(", second data set", 1),
    ridge("BayesianRidge, 100k x 50", 5.0, n=100_000, d=50),
    ridge("BayesianRidge, 500 x 800", 1.0, n=500, d=800),
]
