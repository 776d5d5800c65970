"""Data shared by the tests of k-means."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_digits

# Squares of numbers below 1e-100 would underflow to ties that the numbers do not have.
numbers = st.integers(-5, 5).map(float) | st.floats(-100, 100).filter(
    lambda x: x == 0 or abs(x) > 1e-100
)


def tables(rows=(3, 12), columns=(1, 3)):
    return st.tuples(st.integers(*rows), st.integers(*columns)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=numbers)
    )


@pytest.fixture(scope="session")
def digits():
    return load_digits().data
