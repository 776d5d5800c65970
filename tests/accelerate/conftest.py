"""Acceleration that ends with the test, and a report that begins with it."""

import numpy as np
import pytest

import gramian


@pytest.fixture
def accelerated():
    gramian.accelerate.reset()
    with gramian.accelerate():
        yield
    gramian.accelerate.reset()


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    return X, (X[:, 0] + 0.3 * rng.normal(size=120) > 0).astype(int)
