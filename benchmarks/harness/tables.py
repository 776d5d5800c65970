"""Seeded tables with a target that trees can find: interactions, a step, and useless columns."""

from __future__ import annotations

import numpy as np


def tab(n, d, *, dtype="float32", task="classes", noise=1.0, seed=0):
    """n rows of d >= 6 normal columns, y from x0 x1 + sin(2 x2) + [x3 > .5] x4 + .5 x5 + noise.

    For "classes" y is whether the sum is positive, for "numbers" it is the sum.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    signal = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + (X[:, 3] > 0.5) * X[:, 4] + 0.5 * X[:, 5]
    total = signal + noise * rng.standard_normal(n)
    y = (total > 0).astype(np.int64) if task == "classes" else total.astype(dtype)
    return X.astype(dtype, copy=False), y


def held_out(X, y, m):
    """The last m rows (at most half) are set aside to judge by."""
    m = min(m, len(X) // 2)
    cut = len(X) - m
    return X[:cut].copy(), y[:cut].copy(), X[cut:].copy(), y[cut:].copy()
