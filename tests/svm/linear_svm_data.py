"""Data and helpers that several tests of this folder use."""

import numpy as np

INF = float("inf")


def two_classes(n=150, d=5, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) + noise * rng.normal(size=n) > 0, 1, -1)
