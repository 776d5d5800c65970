"""Data and reference results for kernel machines, in float64 by NumPy."""

import gzip
import itertools

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

BUNDLED = {
    "iris": load_iris,
    "wine": load_wine,
    "breast cancer": load_breast_cancer,
    "digits": load_digits,
}
FILES = {  # name: (target, rows)
    "sonar": ("Class", 208),
    "glass": ("Type", 214),
    "zoo": ("type", 101),
    "pimaindiansdiabetes": ("diabetes", 500),
    "letterrecognition": ("lettr", 800),
    "dna": ("Class", 500),
    "shuttle": ("Class", 600),
    "housevotes84": ("Class", 435),
}
SETS = (*BUNDLED, *FILES)


def real_set(name, folder):
    """Standardised columns and class codes, of classes with at least four rows."""
    if name in BUNDLED:
        X, y = BUNDLED[name](return_X_y=True)
        X, y = X[:600], y[:600]
    else:
        target, rows = FILES[name]
        with gzip.open(folder / f"{name}.csv.gz", "rt") as file:
            frame = pd.read_csv(file, nrows=rows)
        y = pd.factorize(frame.pop(target), sort=True)[0]
        X = frame.apply(lambda c: c if c.dtype.kind in "bif" else pd.factorize(c)[0]).to_numpy(
            float
        )
    kept = np.isin(y, np.flatnonzero(np.bincount(y) >= 4))
    X, y = X[kept], y[kept]
    return (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9), y


def rbf(X, Z, gamma):
    squares = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - 2 * X @ Z.T
    return np.exp(-gamma * np.maximum(squares, 0))


def pair_objectives(model, K, y):
    """1/2 b' K b - sum |b| of the machine of each pair, from the fitted attributes."""
    classes = np.unique(y)
    codes = np.searchsorted(classes, y[model.support_])
    coef = model.dual_coef_
    values = []
    for i, j in itertools.combinations(range(len(classes)), 2):
        of_i, of_j = codes == i, codes == j
        b = np.r_[coef[j - 1, of_i], coef[i, of_j]]
        rows = np.r_[model.support_[of_i], model.support_[of_j]]
        values.append(0.5 * b @ K[np.ix_(rows, rows)] @ b - np.abs(b).sum())
    return np.array(values)


def noisy_rings(n=120, seed=0):
    """Two classes inside and outside a circle, some labels wrong."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = ((X**2).sum(axis=1) > 1.4).astype(int)
    y[rng.random(n) < 0.08] ^= 1
    return X, y


def violation(model, X, y, C, K):
    """The largest violation of the optimality conditions of a binary machine, in float64."""
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    b = np.zeros(len(y))
    b[model.support_] = model.dual_coef_[0]
    score = signs - K @ b
    rises = np.where(signs > 0, b < C, b < 0)
    falls = np.where(signs > 0, b > 0, b > -C)
    top = np.max(score, where=rises, initial=-np.inf)
    return max(0.0, top - np.min(score, where=falls, initial=np.inf))


def dual_violation(machine, K):
    """The largest violation of the conditions of the dual, in extended precision.

    `machine` has, for each variable, the row, the sign, the value, the bound, the linear term and
    the group within which sums are kept.
    """
    rows, sign, alpha, upper, offset, group = (np.asarray(part) for part in machine)
    b = np.zeros(len(K), dtype=np.longdouble)
    np.add.at(b, rows, sign * alpha)
    score = -(K.astype(np.longdouble) @ b)[rows] - offset
    rises = np.where(sign > 0, alpha < upper, alpha > 0)
    falls = np.where(sign > 0, alpha > 0, alpha < upper)
    most = 0.0
    for g in np.unique(group):
        top = np.max(score, where=rises & (group == g), initial=-np.inf)
        most = max(most, float(top - np.min(score, where=falls & (group == g), initial=np.inf)))
    return most


def dual_of(model, y):
    """The variables of a fitted machine with one score, as `dual_violation` reads them."""
    n = len(y)
    b = np.zeros(n)
    b[model.support_] = model.dual_coef_[0]
    rows, none = np.arange(n), np.zeros(n)
    kind = type(model).__name__
    if kind == "SVC":
        sign = np.where(y == model.classes_[1], 1.0, -1.0)
        return rows, sign, sign * b, np.full(n, model.C), -sign, none
    if kind == "NuSVC":  # without the division by the margin
        sign = np.where(y == model.classes_[1], 1.0, -1.0)
        alpha = sign * b * (model.nu * n / np.abs(b).sum())
        alpha[np.abs(alpha - 1) < 1e-12] = 1.0
        return rows, sign, alpha, np.ones(n), none, sign
    if kind == "SVR":
        sign = np.repeat([1.0, -1.0], n)
        alpha = np.r_[np.maximum(b, 0), np.maximum(-b, 0)]
        offset = np.r_[model.epsilon - y, -model.epsilon - y]
        return np.tile(rows, 2), sign, alpha, np.full(2 * n, model.C), offset, np.zeros(2 * n)
    assert kind == "OneClassSVM"
    return rows, np.ones(n), b, np.ones(n), none, none
