"""Rows of a table in the form that the native core reads."""

from gramian import _native
from gramian.base.types import Data, is_sparse


def native_table(X: Data) -> _native.Table:
    """Return a view of the rows of X, C-contiguous or CSR; nothing is copied.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> z = np.empty(2)
    >>> _native.margins(native_table(sp.csr_array([[1.0, 0.0], [0.0, 2.0]])), np.ones(2), z)
    >>> z
    array([1., 2.])
    """
    if is_sparse(X):
        return _native.Table(X.data, X.indices, X.indptr, X.shape[1])
    return _native.Table(X)
