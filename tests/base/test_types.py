"""The test that tells sparse tables from dense ones."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.types import is_sparse


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix])
def test_every_sparse_format_is_sparse(kind):
    assert is_sparse(kind(np.eye(2))) is True


@pytest.mark.parametrize("X", [np.eye(2), [[1.0]], None])
def test_arrays_and_lists_are_not_sparse(X):
    assert is_sparse(X) is False
