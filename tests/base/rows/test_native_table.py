"""The core reads the rows of dense and CSR tables as they are."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import _native
from gramian.base.rows.native_table import native_table

X = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [-3.0, 4.0, 0.0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_products_with_the_table_match_numpy(form, dtype):
    w, z = np.array([1.0, 10.0, 100.0]), np.empty(3)
    _native.margins(native_table(form(X.astype(dtype))), w, z)
    np.testing.assert_array_equal(z, X @ [1.0, 10.0, 100.0])


def test_the_table_is_a_view():
    """A change of the array is seen by the core."""
    array, z = X.copy(), np.empty(3)
    table = native_table(array)
    array[1] = 7.0
    _native.margins(table, np.ones(3), z)
    np.testing.assert_array_equal(z, [3.0, 21.0, 1.0])
