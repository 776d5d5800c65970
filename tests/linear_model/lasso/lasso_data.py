"""Tables for the tests of the lasso, and the conditions of its minimum."""

import numpy as np


def problem(seed, n, d, *, sparse=False):
    """Rows away from 0, a target of a quarter of the columns with noise, and the generator."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 2
    X = X * (rng.random((n, d)) < 0.3) if sparse else X
    y = X[:, : max(1, d // 4)].sum(axis=1) + rng.normal(size=n)
    return X, y, rng


def kkt_violation(model, X, y, weights, alpha, ratio):
    """By how much |c_j - l2 b_j| <= l1 is missed, or its equality where b_j is not 0."""
    v = np.ones(len(y)) if weights is None else weights
    v = v / v.sum()
    r = y - X @ model.coef_ - model.intercept_
    pull = (v * r) @ X - alpha * (1 - ratio) * model.coef_
    at = model.coef_ != 0
    inside = np.abs(pull[at] - alpha * ratio * np.sign(model.coef_[at]))
    outside = np.abs(pull[~at]) - alpha * ratio
    return max(inside.max(initial=0), outside.max(initial=0)), abs(v @ r)


def slow_problem():
    """So many similar columns that coordinate descent takes hundreds of cycles."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 1)) + 1e-2 * rng.normal(size=(60, 400))
    return X, X[:, ::3] @ rng.normal(size=134) + 0.1 * rng.normal(size=60)
