"""Data for the tests of ensembles."""

import numpy as np
from scipy.stats import chi2


def curved(n=200):
    """Return a target that is linear in one column and quadratic in another, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n)


def sphere(n, seed):
    """Hastie, Tibshirani and Friedman 2009, eq. 10.2: |x|^2 above the median of chi^2_10."""
    X = np.random.default_rng(seed).standard_normal((n, 10))
    return X, np.where((X**2).sum(axis=1) > chi2.ppf(0.5, 10), 1, -1)


def spirals(n, seed):
    """Four interleaved arms."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.3, 1.6 * np.pi, size=(4, n))
    turn = angle + np.pi / 2 * np.arange(4)[:, None]
    X = np.stack([angle * np.cos(turn), angle * np.sin(turn)], axis=-1).reshape(-1, 2)
    return X + 0.12 * rng.normal(size=X.shape), np.repeat(np.arange(4), n)


def wave(rng, n=2000, d=6, dtype=np.float64):
    """Return a target with a wave and an interaction, with noise."""
    X = rng.normal(size=(n, d)).astype(dtype)
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.2 * rng.normal(size=n)
