"""Columns beside each other, against NumPy's stacking."""

import numpy as np
import pytest

from gramian import _native

rng = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d"), [(0, 3), (1, 1), (5, 700), (70_001, 3), (9_000, 20)])
def test_columns_become_rows(n, d, dtype):
    columns = [rng.normal(size=n).astype(dtype) for _ in range(d)]
    out = np.full((n, d), np.nan, dtype=dtype)
    _native.stack_columns(columns, out)
    np.testing.assert_array_equal(out, np.array(columns, dtype=dtype).T.reshape(n, d))


def test_shapes_and_types_must_fit():
    out = np.empty((3, 2))
    for columns in ([np.ones(3)], [np.ones(3), np.ones(2)], [np.ones(3), np.ones(3, np.float32)]):
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            _native.stack_columns(columns, out)
