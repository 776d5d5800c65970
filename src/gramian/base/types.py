"""Types of arrays that the families share."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Floats: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Weights: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]  # one per row
RowNumbers: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
Mask: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

Sparse: TypeAlias = sp.sparray | sp.spmatrix

# What a user gives as X: an array, a list, a frame or a sparse matrix, which becomes CSR.
Table: TypeAlias = npt.ArrayLike | sp.sparray | sp.spmatrix

# What the gate makes of it.
Matrix: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[Any]]  # float32 or float64, C order
CSR: TypeAlias = sp.csr_array
Data: TypeAlias = Matrix | CSR


def is_sparse(X: object) -> "TypeIs[Sparse]":
    """Return whether X is sparse; mypy knows the two kinds of a table apart by this test."""
    return bool(sp.issparse(X))
