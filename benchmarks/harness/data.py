"""Seeded data. Everything is drawn in float64 and cast once, so dtypes share their points."""

from __future__ import annotations

import numpy as np


def blobs(n, d, k, *, spread=3.0, box=10.0, dtype="float64", seed=0):
    """n points of k Gaussian blobs: centres uniform in [-box, box]^d, standard deviation spread."""
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-box, box, size=(k, d))
    X = rng.normal(0.0, spread, size=(n, d))
    X += centers[rng.integers(k, size=n)]
    return X.astype(dtype, copy=False)


def noise(n, d, *, dtype="float64", seed=0):
    """n points uniform in the unit cube: no structure that bounds could use."""
    return np.random.default_rng(seed).uniform(size=(n, d)).astype(dtype, copy=False)


def cloud(n, d, *, dtype="float64", seed=0):
    """n points of the standard normal distribution."""
    return np.random.default_rng(seed).standard_normal((n, d)).astype(dtype, copy=False)


def tab(n, d, *, dtype="float32", seed=0):
    """A table with interactions, noise and uninformative columns: X and a numeric target.

    y = x0 x1 + sin(2 x2) + [x3 > 1/2] x4 + x5 / 2 + noise; its sign makes two classes.
    """
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + (X[:, 3] > 0.5) * X[:, 4] + 0.5 * X[:, 5]
    y += rng.standard_normal(n)
    return X.astype(dtype, copy=False), y
