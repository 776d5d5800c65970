"""Naive Bayes, discriminant analysis and mixtures, each against scikit-learn's class of that name.

Everybody has the same parameters and default settings; the mixture starts from given means, weights
and precisions and makes the same number of iterations, and its answer is the mean log likelihood.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import scipy.sparse as sp

from benchmarks.harness.judges import accuracy
from benchmarks.harness.workload import Quality, Workload

SAME = Quality("accuracy", accuracy, better="neither", agree=1e-4)
CLASSES = 5


def gaussian_classes(*, n, d, seed=0):
    """Correlated Gaussian classes, whose variances are 0.05 at least."""
    rng = np.random.default_rng(seed)
    y = rng.integers(CLASSES, size=n)
    roots = 0.4 * rng.normal(size=(CLASSES, d, d)) / np.sqrt(d) + np.eye(d)
    X = np.empty((n, d))
    for k in range(CLASSES):
        here = np.flatnonzero(y == k)
        X[here] = rng.normal(size=(len(here), d)) @ roots[k] + 0.3 * rng.normal(size=d)
    return X, y


def words(*, n, d, classes=20, length=100, seed=0):
    """Sparse counts of words: each class prefers words of its own."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    common = rng.zipf(1.3, size=(n, length)) % d
    own = (rng.zipf(1.5, size=(n, length)) * 31 + 997 * y[:, None]) % d
    columns = np.where(rng.random((n, length)) < 0.8, common, own)
    rows = np.repeat(np.arange(n), length)
    X = sp.coo_array((np.ones(n * length), (rows, columns.ravel())), shape=(n, d)).tocsr()
    return sp.csr_matrix(X), y


def clusters(*, n, d, components, seed=0):
    """A mixture of overlapping Gaussians, and a start."""
    rng = np.random.default_rng(seed)
    y = rng.integers(components, size=n)
    roots = 0.6 * rng.normal(size=(components, d, d))
    means = 2 * rng.normal(size=(components, d))
    X = means[y] + np.einsum("nij,nj->ni", roots[y], rng.normal(size=(n, d)))
    return X, X[:components].copy()


def likelihood(found, *_):
    """The mean log likelihood that a fit reached."""
    return float(found)


def _predict(package, name, X, y):
    from importlib import import_module

    model = getattr(import_module(package), name)()
    return model.fit(X, y).predict(X)


def _fit(package, X, y):
    """The fit alone; the judge reads the accuracy of 20,000 rows."""
    from importlib import import_module

    model = import_module(f"{package}.discriminant_analysis").LinearDiscriminantAnalysis().fit(X, y)
    return model.predict(X[:20_000])


def _mixture(package, X, start):
    from importlib import import_module

    K, d = start.shape
    first = {"weights_init": np.full(K, 1 / K), "precisions_init": np.tile(np.eye(d), (K, 1, 1))}
    model = import_module(f"{package}.mixture").GaussianMixture(
        K, means_init=start, tol=0.0, max_iter=50, init_params="random", random_state=0, **first
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X).lower_bound_


def first_accuracy(predicted, *data):
    """Accuracy on the first rows."""
    return float(np.mean(predicted == data[-1][: len(predicted)]))


def _pair(run, *arguments):
    """The contenders of a job, ours and scikit-learn's."""
    return {
        "gramian": partial(run, *(a.format("gramian") for a in arguments)),
        "scikit-learn": partial(run, *(a.format("sklearn") for a in arguments)),
    }


def _workloads(note, seed):
    """The jobs on the data of one seed."""
    return [
        Workload(
            name=f"GaussianNB, 300k x 50, fit + predict{note}",
            dtype="float64",
            data=partial(gaussian_classes, n=300_000, d=50, seed=seed),
            contenders=_pair(_predict, "{}.naive_bayes", "GaussianNB"),
            quality=SAME,
            aim=10.0,
        ),
        Workload(
            name=f"MultinomialNB, CSR 100k x 50k, fit + predict{note}",
            dtype="float64",
            data=partial(words, n=100_000, d=50_000, seed=seed),
            contenders=_pair(_predict, "{}.naive_bayes", "MultinomialNB"),
            quality=SAME,
            aim=3.0,
        ),
        Workload(
            name=f"LDA, 300k x 50, fit{note}",
            dtype="float64",
            data=partial(gaussian_classes, n=300_000, d=50, seed=seed),
            contenders=_pair(_fit, "{}"),
            quality=Quality("accuracy", first_accuracy, better="neither", agree=1e-4),
            aim=15.0,
        ),
        Workload(
            name=f"QDA, 300k x 50, fit + predict{note}",
            dtype="float64",
            data=partial(gaussian_classes, n=300_000, d=50, seed=seed),
            contenders=_pair(_predict, "{}.discriminant_analysis", "QuadraticDiscriminantAnalysis"),
            quality=SAME,
            aim=4.0,
        ),
        Workload(
            name=f"GaussianMixture, 200k x 10, 8 components, 50 iterations{note}",
            dtype="float64",
            data=partial(clusters, n=200_000, d=10, components=8, seed=seed),
            contenders=_pair(_mixture, "{}"),
            quality=Quality("mean log likelihood", likelihood, better="higher", agree=1e-6),
            aim=4.0,
            once=("scikit-learn",),
        ),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 0), *_workloads(", second data set", 1)]
