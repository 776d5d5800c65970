"""Rows shared by the tests of the neighbour estimators."""

import numpy as np
import pytest


@pytest.fixture
def table(rng):
    """Rows, labels, numeric targets, and queries of which five are rows: distances of zero."""
    X = rng.normal(size=(200, 4))
    y, z, Q = rng.integers(0, 3, 200), X[:, 0] + rng.normal(size=200), rng.normal(size=(30, 4))
    Q[:5] = X[:5]
    return X, y, z, Q


@pytest.fixture
def X(rng):
    return rng.random((300, 3))


def exhaustive(X, Q, k, p):
    """Distances and indices of the k nearest rows, by (distance, index)."""
    lengths = np.linalg.norm(Q[:, None] - X[None], ord=p, axis=2)
    order = np.argsort(lengths, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(lengths, order, 1), order
