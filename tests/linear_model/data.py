"""Tables for the tests of linear models."""

import csv
import gzip

import numpy as np


def boston(folder):
    """Boston housing: 506 x 13, the median value of homes."""
    with gzip.open(folder / "bostonhousing.csv.gz", "rt") as file:
        rows = np.array(list(csv.reader(file))[1:], dtype=float)
    return rows[:, :-1], rows[:, -1]


def table(n=80, d=5, m=1, seed=0):
    """Correlated columns away from 0, m targets with noise, weights in (0.5, 2.5)."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d) * 10
    Y = X @ rng.normal(size=(d, m)) + rng.normal(size=(n, m)) + 3
    return X, (Y[:, 0] if m == 1 else Y), 0.5 + 2 * rng.random(n)
