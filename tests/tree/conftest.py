"""Data that several tests of trees use."""

import pytest


@pytest.fixture
def diagonal(rng):
    X = rng.uniform(-1, 1, size=(300, 2))
    return X, (X.sum(axis=1) > 0).astype(int)
