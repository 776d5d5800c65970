"""Data and helpers that several tests of this folder use."""

import numpy as np


def rows(seed, n, d, whole):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.standard_t(2, size=n)
    return (np.round(X), np.round(y), rng) if whole else (X, y, rng)
