"""Rows of two classes with a gap."""

import numpy as np


def separable(seed, n=40, d=3, gap=0.2):
    """Rows further than the gap from a plane, and on which side of it they are."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    z = X @ w / np.linalg.norm(w) - 0.3
    return X[np.abs(z) > gap], np.where(z > 0, 1, -1)[np.abs(z) > gap]
