"""Quality measures, the same for every contender: plain NumPy in float64, in blocks of rows."""

from __future__ import annotations

import numpy as np


def inertia(centers, X, *_):
    """Sum of squared distances to the nearest centre, by differences of shifted float64 points."""
    mean = X.mean(axis=0, dtype=np.float64)
    C = np.asarray(centers, dtype=np.float64) - mean
    total = 0.0
    for rows in np.array_split(X, 1 + X.size // 1_000_000):
        R = rows - mean
        nearest = ((R**2).sum(axis=1)[:, None] - 2 * R @ C.T + (C**2).sum(axis=1)).argmin(axis=1)
        total += float(((R - C[nearest]) ** 2).sum())
    return total


def sum_of_distances(neighbours, X, Q=None, *_):
    """Sum of the exact distances from every query to the returned neighbours.

    Q is None if X is queried with itself. Duplicate indices, indices out of range and points that
    are their own neighbours give NaN.
    """
    index = np.asarray(neighbours, dtype=np.int64)
    own = np.arange(len(index))[:, None]
    twice = (np.diff(np.sort(index, axis=1), axis=1) == 0).any()
    if twice or index.min() < 0 or index.max() >= len(X) or (Q is None and (index == own).any()):
        return float("nan")
    queries = X if Q is None else Q
    total = 0.0
    for rows in np.array_split(np.arange(len(index)), 1 + index.size * X.shape[1] // 1_000_000):
        difference = X[index[rows]].astype(np.float64) - queries[rows, None].astype(np.float64)
        total += float(np.sqrt((difference**2).sum(axis=2)).sum())
    return total


def accuracy(predicted, *data):
    """Proportion of predictions that equal the truth, the last of the data."""
    return float(np.mean(np.asarray(predicted) == data[-1]))


def r_squared(predicted, *data):
    """R squared of predictions of the truth, the last of the data."""
    truth = data[-1]
    return float(1 - np.mean((truth - np.asarray(predicted)) ** 2) / truth.var())
