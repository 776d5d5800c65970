"""Inner products and norms, short by BLAS and long by NumPy."""

import numpy as np
import pytest

from gramian.objectives.inner_product import inner, length


@pytest.mark.parametrize("size", [0, 1, 1000, 1001])
def test_the_inner_product_is_the_sum_of_products(size, rng):
    a, b = rng.normal(size=(2, size))
    assert inner(a, b) == pytest.approx(sum(a * b), rel=1e-12, abs=1e-12)
    assert length(a) == pytest.approx(np.sqrt(sum(a**2)), rel=1e-12)


def test_the_results_are_plain_numbers():
    assert type(inner(np.ones(2, np.float32), np.ones(2, np.float32))) is float
    assert type(length(np.ones(2000))) is float
