"""Principal components, factors, scaling and parts, each against scikit-learn's class of that name.

Everybody has the same parameters and default settings; where scikit-learn's documentation offers
another solver for the job, that one too. scikit-learn-intelex is a peer where it has the class. The
judge reads what was kept: the sum of the singular values or eigenvalues, the mean log likelihood,
or the error of the factorisation.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import scipy.sparse as sp

from benchmarks.harness.workload import Quality, Workload


def decaying(*, n, d, dtype="float64", seed=0):
    """Correlated columns whose variances fall slowly, about a mean."""
    rng = np.random.default_rng(seed)
    k = min(n, d, 60)
    X = rng.standard_normal((n, k), dtype="float32") @ (
        rng.standard_normal((k, d), dtype="float32")
        * (0.93 ** np.arange(k, dtype="float32"))[:, None]
    )
    X += rng.standard_normal((n, d), dtype="float32") + 2
    return (X.astype(dtype),)


def words(*, n, d, length=60, seed=0):
    """Sparse counts of words."""
    rng = np.random.default_rng(seed)
    columns = rng.zipf(1.2, size=(n, length)) * (1 + rng.integers(7, size=(n, 1))) % d
    rows = np.repeat(np.arange(n), length)
    X = sp.coo_array((np.ones(n * length), (rows, columns.ravel())), shape=(n, d))
    return (sp.csr_matrix(X.tocsr()),)


def factors(*, n, d, k, seed=0):
    """Common factors and noise."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(n, d)) * rng.uniform(0.5, 2, d)
    return (rng.normal(size=(n, k)) @ rng.normal(size=(k, d)) + noise,)


def distances(*, n, seed=0):
    """Distances of points in 20 dimensions."""
    from scipy.spatial.distance import pdist, squareform

    return (squareform(pdist(np.random.default_rng(seed).normal(size=(n, 20)))),)


def parts(*, n, d, k, seed=0):
    """Sums of parts with noise, none negative."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, k)) @ rng.random((k, d)) + 0.1 * rng.normal(size=(n, d))
    return (np.maximum(X, 0.0),)


def plain(*, n, d, seed=0):
    """Independent normal columns."""
    return (np.random.default_rng(seed).standard_normal((n, d)),)


def number(found, *_):
    """What a contender returned."""
    return float(found)


def _fit(package, family, name, attribute, settings, X):
    from importlib import import_module

    model = getattr(import_module(f"{package}.{family}"), name)(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = model.fit(X)
    if attribute == "score":
        return found.score(X)
    if attribute == "transform":
        return (
            np.linalg.norm(found.transform(X)) / np.linalg.norm(X[:1000]) * (1000 / len(X)) ** 0.5
        )
    return np.sum(getattr(found, attribute), dtype=np.float64)


def _contenders(family, name, attribute, *, intelex=False, other=None, **defaults):
    """The contenders of a job: ours, scikit-learn's, and that one with `other` settings."""

    def run(package, **settings):
        job = partial(_fit, package, family, name, attribute, defaults | settings)
        return lambda X: job(X)

    found = {"gramian": run("gramian"), "scikit-learn": run("sklearn")}
    if other is not None:
        found[f"scikit-learn, {next(iter(other.values()))}"] = run("sklearn", **other)
    if intelex:
        found["scikit-learn-intelex"] = run("sklearnex")
    return found


KEPT = Quality("sum of singular values", number, better="higher", agree=1e-4)
PCA_20 = partial(
    _contenders, "decomposition", "PCA", "singular_values_", n_components=20, random_state=0
)
TALL, WIDE = PCA_20(intelex=True), PCA_20(intelex=True, other={"svd_solver": "arpack"})


def _workloads(name, seed):
    return [
        Workload(
            name=f"PCA, 100k x 200, k = 20{name}",
            dtype="float64",
            data=partial(decaying, n=100_000, d=200, seed=seed),
            contenders=TALL,
            quality=KEPT,
            aim=1.3,
            flops=100_000 * 200**2,
        ),
        Workload(
            name=f"PCA, 100k x 200, k = 20{name}",
            dtype="float32",
            data=partial(decaying, n=100_000, d=200, dtype="float32", seed=seed),
            contenders=TALL,
            quality=KEPT,
            aim=1.3,
            flops=100_000 * 200**2,
        ),
        Workload(
            name=f"PCA, 1M x 50, k = 20{name}",
            dtype="float64",
            data=partial(decaying, n=1_000_000, d=50, seed=seed),
            contenders=TALL,
            quality=KEPT,
            aim=1.3,
            flops=1_000_000 * 50**2,
        ),
        Workload(
            name=f"PCA, 5k x 20k, k = 20{name}",
            dtype="float64",
            data=partial(decaying, n=5_000, d=20_000, seed=seed),
            contenders=WIDE,
            quality=KEPT,
            aim=2.0,
        ),
        Workload(
            name=f"TruncatedSVD, CSR 20k x 100k, k = 50{name}",
            dtype="float64",
            data=partial(words, n=20_000, d=100_000, seed=seed),
            contenders=_contenders(
                "decomposition",
                "TruncatedSVD",
                "singular_values_",
                other={"algorithm": "arpack"},
                n_components=50,
                random_state=0,
            ),
            quality=KEPT,
            aim=2.0,
        ),
        Workload(
            name=f"FactorAnalysis, 50k x 50, 5 factors{name}",
            dtype="float64",
            data=partial(factors, n=50_000, d=50, k=5, seed=seed),
            contenders=_contenders("decomposition", "FactorAnalysis", "score", n_components=5),
            quality=Quality("mean log likelihood", number, better="higher", agree=1e-4),
            aim=20.0,
        ),
        Workload(
            name=f"ClassicalMDS, 5k distances, k = 2{name}",
            dtype="float64",
            data=partial(distances, n=5_000, seed=seed),
            contenders=_contenders(
                "manifold", "ClassicalMDS", "eigenvalues_", metric="precomputed"
            ),
            quality=Quality("sum of eigenvalues", number, better="neither", agree=1e-8),
            aim=10.0,
            once=("scikit-learn",),
        ),
        Workload(
            name=f"NMF, 10k x 500, 20 parts{name}",
            dtype="float64",
            data=partial(parts, n=10_000, d=500, k=20, seed=seed),
            contenders=_contenders(
                "decomposition", "NMF", "reconstruction_err_", n_components=20, random_state=0
            ),
            quality=Quality("Frobenius norm of the error", number, better="lower", agree=1e-3),
            aim=2.0,
        ),
        *(
            Workload(
                name=f"{method}, 50k x 2000 to 300{name}",
                dtype="float64",
                data=partial(plain, n=50_000, d=2000, seed=seed),
                contenders=_contenders(
                    "random_projection", method, "transform", n_components=300, random_state=0
                ),
                quality=Quality("length after by before", number, better="neither", agree=0.05),
                aim=aim,
                flops=flops,
            )
            for method, aim, flops in (
                ("GaussianRandomProjection", 1.0, 2 * 50_000 * 2000 * 300),
                ("SparseRandomProjection", 2.0, None),
            )
        ),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 0), *_workloads(", second data set", 10)]
