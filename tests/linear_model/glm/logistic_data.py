"""Rows drawn from logistic models, and the cost of a fitted one."""

import numpy as np
from scipy.special import expit, log_softmax

INF = float("inf")


def binary(n=200, d=4, seed=0, scale=1.0):
    """Rows and labels drawn from a logistic model."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (rng.random(n) < expit(scale * X @ rng.normal(size=d) + 0.3)).astype(int)


def several(n=300, d=4, classes=4, seed=0):
    """Rows and labels drawn from a softmax model."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X @ rng.normal(size=(d, classes)) + rng.gumbel(size=(n, classes))).argmax(axis=1)


def objective(model, X, y, C=1.0):
    """The cost of the docstring, from the fitted attributes alone."""
    z = X @ model.coef_.T + model.intercept_
    penalty = (model.coef_**2).sum() / (2 * C)
    if len(model.coef_) == 1:
        positive = y == model.classes_[1]
        return (np.logaddexp(0, z[:, 0]) - positive * z[:, 0]).sum() + penalty
    codes = np.searchsorted(model.classes_, y)
    return -log_softmax(z, axis=1)[np.arange(len(y)), codes].sum() + penalty
