"""Kernel densities, their leave-one-out likelihood, and kernel regression."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.data import cloud
from benchmarks.harness.workload import Quality, Workload


def total(answer, *_):
    """Sum of all values of the answer."""
    return float(np.sum(answer))


EXACT = Quality("sum of the values", total, better="neither", agree=1e-9)
BANDWIDTHS = tuple(np.geomspace(0.4, 2.0, 20))  # wide enough to subtract the own kernel
CELLS = 2_000_000


def whitened(*, n, m, d, h, seed=0):
    """n rows with the covariance matrix 1, m queries, and the bandwidth."""
    X = cloud(n, d, seed=seed)
    X = X - X.mean(axis=0)
    X = X @ np.linalg.inv(np.linalg.cholesky(np.cov(X.T))).T
    return np.ascontiguousarray(X), cloud(min(m, n), d, seed=seed + 1), h or n ** (-1 / (d + 4))


def rows_and_targets(*, n, m, seed=0):
    """n rows of the plane with five targets, and m queries."""
    X = cloud(n, 2, seed=seed)
    waves = np.sin(X @ cloud(2, 5, seed=seed + 2)) + 0.1 * cloud(n, 5, seed=seed + 3)
    return X, waves, cloud(min(m, n), 2, seed=seed + 1)


def plane(n=5_000, seed=0):
    """n rows of the plane."""
    return (cloud(n, 2, seed=seed),)


def gramian(X, Q, h):
    from gramian import KernelDensity

    return KernelDensity(bandwidth=h).fit(X).score_samples(Q)


def sklearn(X, Q, h):
    from sklearn.neighbors import KernelDensity

    return KernelDensity(bandwidth=h).fit(X).score_samples(Q)


def scipy(X, Q, h):
    from scipy.stats import gaussian_kde

    return np.log(gaussian_kde(X.T, bw_method=h)(Q.T))


def gramian_choice(X):
    from gramian.neighbors import choose_bandwidth

    return choose_bandwidth(X, BANDWIDTHS).log_likelihood


def sklearn_choice(X):
    from sklearn.neighbors import KernelDensity

    n, d = X.shape
    scores = []
    for h in BANDWIDTHS:
        density = np.exp(KernelDensity(bandwidth=h).fit(X).score_samples(X))
        own = (2 * np.pi * h * h) ** (-d / 2)
        scores.append(np.mean(np.log((n * density - own) / (n - 1))))
    return np.array(scores)


def gramian_regression(X, Y, Q):
    from gramian import KernelRegressor

    return KernelRegressor(bandwidth=0.5).fit(X, Y).predict(Q)


def numpy_tile(X, Y, Q):
    out = np.empty((len(Q), Y.shape[1]))
    squares = (X**2).sum(axis=1)
    step = max(1, CELLS // len(X))
    for first in range(0, len(Q), step):
        part = Q[first : first + step]
        D = squares - 2 * part @ X.T + (part**2).sum(axis=1)[:, None]
        D *= -2.0  # -1 / (2 h^2)
        K = np.exp(D, out=D)
        out[first : first + step] = K @ Y / K.sum(axis=1)[:, None]
    return out


def sklearn_tile(X, Y, Q):
    from sklearn.metrics.pairwise import rbf_kernel

    out = np.empty((len(Q), Y.shape[1]))
    step = max(1, CELLS // len(X))
    for first in range(0, len(Q), step):
        K = rbf_kernel(Q[first : first + step], X, gamma=2.0)
        out[first : first + step] = K @ Y / K.sum(axis=1)[:, None]
    return out


ONE_EXPONENTIAL = (
    "there are too few rows within a bandwidth for polynomials; SciPy also computes one "
    "exponential per pair, on one core; scikit-learn takes fifty times as long as gramian"
)
POLYNOMIALS = (
    "cells with fewer rows than a polynomial has terms take one exponential per pair, as in the "
    "other libraries"
)
PEERS = {"gramian": gramian, "scikit-learn": sklearn, "scipy": scipy}


def _workloads(note, seed):
    """The jobs on the data of one seed."""
    return [
        Workload(
            name=f"KernelDensity, 50k x 3, 10k queries, wide: every pair counts{note}",
            dtype="float64",
            data=partial(whitened, n=50_000, m=10_000, d=3, h=1.0, seed=seed),
            contenders=PEERS,
            quality=EXACT,
            aim=25.0,
            why=POLYNOMIALS,
            once=("scikit-learn",),
        ),
        Workload(
            name=f"KernelDensity, 50k x 3, 10k queries, Scott's bandwidth{note}",
            dtype="float64",
            data=partial(whitened, n=50_000, m=10_000, d=3, h=None, seed=seed),
            contenders=PEERS,
            quality=EXACT,
            aim=50.0,
            why=ONE_EXPONENTIAL,
            once=("scikit-learn",),
        ),
        Workload(
            name=f"KernelDensity, 20k x 20, 5k queries{note}",
            dtype="float64",
            data=partial(whitened, n=20_000, m=5_000, d=20, h=None, seed=seed),
            contenders=PEERS,
            # scikit-learn's bounds on boxes of 20 columns leave an error; SciPy agrees to 1e-13
            quality=Quality("sum of the values", total, better="neither", agree=1e-3),
            aim=10.0,
            once=("scikit-learn",),
        ),
        Workload(
            name=f"leave-one-out likelihood of 20 bandwidths, 5k x 2{note}",
            dtype="float64",
            data=partial(plane, seed=seed),
            contenders={"gramian": gramian_choice, "scikit-learn": sklearn_choice},
            quality=Quality("sum of the scores", total, better="neither", agree=1e-6),
            aim=30.0,
            once=("scikit-learn",),
        ),
        Workload(
            name=f"Nadaraya-Watson, 50k x 2, 10k queries, 5 outputs{note}",
            dtype="float64",
            data=partial(rows_and_targets, n=50_000, m=10_000, seed=seed),
            contenders={
                "gramian": gramian_regression,
                "scikit-learn": sklearn_tile,
                "numpy tile": numpy_tile,
            },
            quality=EXACT,
            aim=20.0,
            why=POLYNOMIALS,
        ),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 0), *_workloads(", second data set", 10)]
