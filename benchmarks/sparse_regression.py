"""Lasso paths and their cross-validation, l1 logistic paths, absolute deviations, stepwise search.

Paths are given to everybody as the same grid and as columns (Fortran order, CSC), without an
intercept, to a duality gap of 1e-6 |y|^2; the judge is the largest gap of the path, computed anew
in float64 from the coefficients, and may be three times as large as asked for. celer is told a
tenth of it and more working sets than its default: with less it does not come near on these data.
scikit-learn's l1 logistic regression is by liblinear; its saga is not timed. A warm-up has fewer
rows and fewer columns.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import scipy.sparse as sp
from scipy.signal import lfilter
from scipy.special import expit

from benchmarks.harness.workload import Quality, Workload

GAP = 1e-6


def correlated(*, n=None, relevant=100, rho=0.5, seed=0):
    """Columns with correlation rho^|i - j|, a sparse truth and noise a third of the signal."""
    rng = np.random.default_rng(seed)
    n, p = (1000, 10_000) if n is None else (n, 500)
    X = lfilter([np.sqrt(1 - rho**2)], [1, -rho], rng.standard_normal((n, p)), axis=1)
    return np.asfortranarray(X), sparse_target(X, relevant, rng)


def sparse_table(*, n=20_000, density=0.005, relevant=300, seed=0):
    """Random sparse columns and a sparse truth."""
    rng = np.random.default_rng(seed)
    p = n * 5 // 2
    count = int(n * p * density)
    places = rng.integers(n, size=count), rng.integers(p, size=count)
    X = sp.coo_matrix((rng.standard_normal(count), places), shape=(n, p)).tocsc()
    return X, sparse_target(X, relevant, rng)


def sparse_target(X, relevant, rng):
    w = np.zeros(X.shape[1])
    w[rng.permutation(len(w))[:relevant]] = rng.standard_normal(relevant)
    signal = X @ w
    return signal + rng.standard_normal(len(signal)) * signal.std() / 3


def grid(X, y, eps=1e-2, count=100):
    top = np.abs(X.T @ y).max() / len(y)
    return np.geomspace(top, top * eps, count)


def largest_gap(answer, X, y):
    """The largest duality gap of the path, as a part of |y|^2 / 2n."""
    alphas, coefs = answer
    n, worst = len(y), 0.0
    for alpha, c in zip(alphas, coefs.T, strict=True):
        r = y - X @ c
        pull = np.abs(X.T @ r).max() / n
        s = min(1.0, alpha / pull)
        primal = r @ r / (2 * n) + alpha * np.abs(c).sum()
        worst = max(worst, primal - (s * (y @ r) - s * s * (r @ r) / 2) / n)
    return float(worst / (y @ y / n))


PATH_GAP = Quality(
    "1 + largest relative gap", lambda *a: 1 + largest_gap(*a), better="lower", agree=3e-6
)


def gramian_path(X, y):
    from gramian.linear_model import lasso_path

    alphas = grid(X, y)
    return alphas, lasso_path(X, y, alphas=alphas, tol=GAP, max_iter=100_000)[1]


def sklearn_path(X, y):
    from sklearn.linear_model import lasso_path

    alphas = grid(X, y)
    return alphas, lasso_path(X, y, alphas=alphas, tol=GAP, max_iter=100_000)[1]


def celer_path(X, y):
    from celer import celer_path

    alphas = grid(X, y)
    return alphas, celer_path(X, y, "lasso", alphas=alphas, tol=GAP / 10, max_iter=500)[1]


def skglm_path(X, y):
    from skglm.datafits import Quadratic
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD
    from skglm.utils.jit_compilation import compiled_clone

    alphas = grid(X, y)
    solver = AndersonCD(tol=1e-6 * np.linalg.norm(y) / len(y), fit_intercept=False)
    found = solver.path(X, y, compiled_clone(Quadratic()), compiled_clone(L1(1.0)), alphas)
    return alphas, found[1]


def tall(*, n=5000, p=500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    w = np.zeros(p)
    w[:50] = rng.standard_normal(50)
    return X, X @ w + 3 * rng.standard_normal(n)


def error_of(answer, X, y):
    coef, intercept = answer
    return float(np.mean((y - X @ coef - intercept) ** 2))


def fitted(model):
    return np.ravel(model.coef_), model.intercept_


def gramian_cv(X, y):
    from gramian import LassoCV

    return fitted(LassoCV(cv=5, n_jobs=2).fit(X, y))


def sklearn_cv(X, y):
    from sklearn.linear_model import LassoCV

    return fitted(LassoCV(cv=5, n_jobs=2).fit(X, y))


def two_classes(*, n=10_000, seed=0):
    rng = np.random.default_rng(seed)
    p = n // 2
    X = np.asfortranarray(rng.standard_normal((n, p)))
    w = np.zeros(p)
    w[:50] = rng.standard_normal(50)
    return X, (rng.random(n) < expit(X @ w)).astype(np.int64)


def inverse_penalties(X, y):
    top = np.abs(X.T @ (y - y.mean())).max()
    return 1 / np.geomspace(top, 0.05 * top, 20)


def logistic_cost(answer, X, y):
    """The sum of the costs of the path, each divided by that of no weights."""
    Cs, coefs, biases = answer
    rate = y.mean()
    null = -len(y) * (rate * np.log(rate) + (1 - rate) * np.log(1 - rate))
    total = 0.0
    for C, w, b in zip(Cs, coefs, biases, strict=True):
        z = X @ w + b
        total += (np.logaddexp(0, z) - y * z).sum() / null + np.abs(w).sum() / (C * null)
    return float(total)


def gramian_logistic(X, y):
    from gramian.linear_model import logistic_path

    Cs = inverse_penalties(X, y)
    found = logistic_path(X, y, Cs=Cs, tol=1e-5)
    return Cs, found.coef, found.intercept


def sklearn_logistic(X, y, *, solver, tol, **settings):
    from sklearn.linear_model import LogisticRegression

    Cs = inverse_penalties(X, y)
    model = LogisticRegression(
        l1_ratio=1.0, solver=solver, tol=tol, max_iter=2000, warm_start=True, **settings
    )
    fits = [
        (m.coef_[0].copy(), m.intercept_[0]) for m in (model.set_params(C=C).fit(X, y) for C in Cs)
    ]
    return Cs, *zip(*fits, strict=True)


def celer_logistic(X, y):
    from celer import celer_path

    # celer has no intercept here; the columns are centred and the classes nearly balanced.
    Cs = inverse_penalties(X, y)
    signs = np.where(y > 0, 1.0, -1.0)
    coefs = celer_path(X, signs, "logreg", alphas=1 / Cs, tol=1e-5, max_iter=200)[1]
    return Cs, coefs.T, np.zeros(len(Cs))


def heavy_tailed(*, n=20_000, p=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    return X, X @ rng.standard_normal(p) + rng.standard_t(2, n)


def absolute_error(answer, X, y):
    coef, intercept = answer
    return float(np.abs(y - X @ coef - intercept).mean())


def gramian_lad(X, y):
    from gramian import QuantileRegressor

    return fitted(QuantileRegressor(alpha=0.0).fit(X, y))


def sklearn_lad(X, y):
    from sklearn.linear_model import QuantileRegressor

    return fitted(QuantileRegressor(alpha=0.0).fit(X, y))


def thirty_of_hundred(*, n=10_000, seed=0):
    rng = np.random.default_rng(seed)
    p = max(n // 100, 30)
    X = rng.standard_normal((n, p))
    return X, X[:, :30] @ rng.standard_normal(30) + rng.standard_normal(n)


def chosen_error(columns, X, y):
    """The mean squared error of least squares on the columns chosen."""
    A = np.column_stack([X[:, np.asarray(columns)], np.ones(len(y))])
    return float(np.mean((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2))


def gramian_stepwise(X, y):
    from gramian.feature_selection import StepwiseSelector

    model = StepwiseSelector(n_features_to_select=20, cv=5).fit(X, y)
    return model.get_support(indices=True)


def sklearn_stepwise(X, y):
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.linear_model import LinearRegression

    model = SequentialFeatureSelector(LinearRegression(), n_features_to_select=20, cv=5, n_jobs=2)
    return model.fit(X, y).get_support(indices=True)


def mlxtend_stepwise(X, y):
    from mlxtend.feature_selection import SequentialFeatureSelector
    from sklearn.linear_model import LinearRegression

    model = SequentialFeatureSelector(
        LinearRegression(), k_features=20, cv=5, scoring="r2", n_jobs=2
    )
    return np.array(model.fit(X, y).k_feature_idx_)


def thirty(*, n=1000, p=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    w = np.where(rng.random(p) < 0.5, 0.1 * rng.standard_normal(p), 0)
    return X, X @ w + rng.standard_normal(n)


def gramian_subset(X, y):
    from gramian.feature_selection import best_subsets

    return np.flatnonzero(best_subsets(X, y).supports[10])


PATHS = {
    "gramian": gramian_path,
    "scikit-learn": sklearn_path,
    "celer": celer_path,
    "skglm": skglm_path,
}

WORKLOADS = [
    Workload(
        name="lasso path, 1000 x 10k, 100 alphas to 1/100, gap 1e-6",
        dtype="float64",
        data=correlated,
        contenders=PATHS,
        quality=PATH_GAP,
        aim=1.5,
        once=("scikit-learn",),
    ),
    Workload(
        name="lasso path, sparse 20k x 50k, 100 alphas to 1/100, gap 1e-6",
        dtype="float64",
        data=sparse_table,
        contenders=PATHS,
        quality=PATH_GAP,
        aim=1.5,
    ),
    Workload(
        name="LassoCV, 5000 x 500, 5 folds, 100 alphas",
        dtype="float64",
        data=tall,
        contenders={"gramian": gramian_cv, "scikit-learn": sklearn_cv},
        quality=Quality("mean squared error", error_of, better="neither", agree=1e-4),
        aim=4.0,
    ),
    Workload(
        name="l1 logistic, 10k x 5000, path of 20 to 1/20",
        dtype="float64",
        data=two_classes,
        contenders={
            "gramian": gramian_logistic,
            "scikit-learn": partial(
                sklearn_logistic, solver="liblinear", tol=1e-3, intercept_scaling=100.0
            ),
            "celer": celer_logistic,
        },
        quality=Quality("sum of relative costs", logistic_cost, better="lower", agree=1e-3),
        aim=2.0,
        once=("scikit-learn",),
    ),
    Workload(
        name="least absolute deviations, 20k x 20, exact",
        dtype="float64",
        data=heavy_tailed,
        contenders={"gramian": gramian_lad, "scikit-learn": sklearn_lad},
        quality=Quality("mean absolute error", absolute_error, better="lower", agree=1e-8),
        aim=300.0,
        once=("scikit-learn",),
    ),
    Workload(
        name="forward stepwise, 10k x 100 to 20, 5 folds",
        dtype="float64",
        data=thirty_of_hundred,
        contenders={
            "gramian": gramian_stepwise,
            "scikit-learn": sklearn_stepwise,
            "mlxtend": mlxtend_stepwise,
        },
        quality=Quality("mean squared error", chosen_error, better="neither", agree=1e-8),
        aim=1000.0,
        once=("scikit-learn", "mlxtend"),
    ),
    Workload(
        name="best subset of every size, p = 30, exact",
        dtype="float64",
        data=thirty,
        contenders={"gramian": gramian_subset},
        quality=Quality("mean squared error", chosen_error, better="lower", agree=1e-8),
        aim=1.0,
        why="no other library searches all sizes exactly; the aim is two seconds",
    ),
]
