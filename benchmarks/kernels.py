"""Kernel ridge regression with leave-one-out, against 30 Cholesky factors; Nystroem; many rows."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.data import cloud
from benchmarks.harness.workload import Quality, Workload

ALPHAS = np.logspace(-2, 2, 30)


def rows(*, n, d, seed, dtype=np.float64, m=None):
    """n rows of d columns, with a smooth target and noise."""
    X = cloud(n, d, seed=seed)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y = np.sin(X[:, 0]) + 0.5 * X[:, 1] * X[:, 2 % d] + 0.3 * cloud(n, 1, seed=seed + 1)[:, 0]
    data = (X.astype(dtype), y.astype(dtype))
    return data if m is None else (*data, min(m, n // 4))


def total(answer, *_):
    """Sum of all values of the answer."""
    return float(np.sum(answer, dtype=np.float64))


def gramian_loo(X, y):
    from gramian.kernel_ridge import KernelRidgeCV

    return -KernelRidgeCV(ALPHAS, kernel="rbf").fit(X, y).scores_


def sklearn_loo(X, y):
    from scipy.linalg import lapack
    from sklearn.metrics.pairwise import rbf_kernel

    K = rbf_kernel(X)
    errors = []
    for alpha in ALPHAS:
        A = K.copy()
        A.flat[:: len(A) + 1] += alpha
        root, _ = lapack.dpotrf(A.T, lower=1, overwrite_a=1)
        a, _ = lapack.dpotrs(root, y, lower=1)
        inverse, _ = lapack.dtrtri(root, lower=1, overwrite_c=1)
        inverse = np.tril(inverse)
        diagonal = np.einsum("ij,ij->j", inverse, inverse)
        errors.append(np.mean((a / diagonal) ** 2))
    return np.array(errors)


def features(model, X):
    """Fit, transform, and return the sum of squares: an estimate of the kernel's trace."""
    phi = model.fit(X).transform(X)
    return float(np.vdot(phi[:1000], phi[:1000]))


def gramian_nystroem(X, y):  # noqa: ARG001
    from gramian.kernel_approximation import Nystroem

    return features(Nystroem(n_components=500, random_state=0), X)


def sklearn_nystroem(X, y):  # noqa: ARG001
    from sklearn.kernel_approximation import Nystroem

    return features(Nystroem(n_components=500, random_state=0), X)


def gramian_centers(X, y, m):
    from gramian.kernel_ridge import KernelRidge

    model = KernelRidge(
        1.0, kernel="rbf", solver="nystroem", n_centers=m, random_state=0, tol=1e-4
    ).fit(X, y)
    return 1.0 - model.score(X[:20_000], y[:20_000])


def sklearn_centers(X, y, m, n_iter=12):
    """Falkon in NumPy, with scikit-learn's kernel matrices."""
    from scipy.linalg import cholesky, solve_triangular
    from sklearn.metrics.pairwise import rbf_kernel

    n = len(X)
    centers = X[np.random.default_rng(0).choice(n, m, replace=False)]
    K = rbf_kernel(centers).astype(np.float64)
    T = cholesky(K + 1e-8 * np.eye(m))
    A = cholesky(T @ T.T * (n / m) + np.eye(m))

    def tiles():
        for first in range(0, n, 2000):
            part = slice(first, first + 2000)
            yield part, rbf_kernel(X[part], centers)

    def from_beta(b):
        return solve_triangular(T, solve_triangular(A, b))

    def to_beta(v):
        return solve_triangular(A, solve_triangular(T, v, trans=1), trans=1)

    residual = to_beta(sum(tile.T @ y[part] for part, tile in tiles()))
    beta, direction, size = np.zeros(m), residual.copy(), residual @ residual
    for _ in range(n_iter):
        a = from_beta(direction)
        moved = to_beta(sum(tile.T @ (tile @ a) for _, tile in tiles()) + K @ a)
        step = size / (direction @ moved)
        beta += step * direction
        residual -= step * moved
        size, before = residual @ residual, size
        direction = residual + size / before * direction
    a = from_beta(beta)
    new, target = X[:20_000], y[:20_000]
    predicted = np.concatenate(
        [rbf_kernel(new[i : i + 2000], centers) @ a for i in range(0, len(new), 2000)]
    )
    return float(np.mean((target - predicted) ** 2) / target.var())


def _workloads(suffix, seed):
    return [
        Workload(
            name=f"kernel ridge, 10k x 20, leave-one-out of 30 penalties{suffix}",
            dtype="float64",
            data=partial(rows, n=10_000, d=20, seed=seed),
            contenders={"gramian": gramian_loo, "scikit-learn": sklearn_loo},
            quality=Quality("sum of the squared errors", total, better="neither", agree=1e-7),
            aim=3.0,
            once=("scikit-learn",),
        ),
        *(
            Workload(
                name=f"Nystroem, 100k x 50, 500 rows{suffix}",
                dtype=dtype,
                data=partial(rows, n=100_000, d=50, dtype=np.dtype(dtype), seed=seed),
                contenders={"gramian": gramian_nystroem, "scikit-learn": sklearn_nystroem},
                quality=Quality("sum of squares", total, better="neither", agree=0.05),
                aim=aim,
            )
            for dtype, aim in (("float64", 1.3), ("float32", 2.0))
        ),
        Workload(
            name=f"kernel ridge on 5000 centres, 300k x 10, against Falkon in NumPy{suffix}",
            dtype="float64",
            data=partial(rows, n=300_000, d=10, m=5000, seed=seed),
            contenders={"gramian": gramian_centers, "scikit-learn": sklearn_centers},
            quality=Quality("1 - R^2 on 20k rows", total, better="lower", agree=0.02),
            aim=1.0,
            once=("scikit-learn",),
        ),
    ]


# The second data set was made after all tuning.
WORKLOADS = [*_workloads("", 5), *_workloads(", second data set", 15)]
