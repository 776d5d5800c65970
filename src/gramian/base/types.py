"""Types of arrays that the families share."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

if TYPE_CHECKING:
    from typing_extensions import TypeIs

# Any number of dimensions: mypy also accepts them where a vector is required.
Floats: TypeAlias = npt.NDArray[np.float64]
RowNumbers: TypeAlias = npt.NDArray[np.intp]
Mask: TypeAlias = npt.NDArray[np.bool_]

# One dimension: mypy knows that an element is a number.
FloatVector: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float64]]
Weights: TypeAlias = FloatVector  # one per row

Sparse: TypeAlias = sp.sparray | sp.spmatrix

# What a user gives as X: an array, a list, a frame or a sparse matrix, which becomes CSR.
Table: TypeAlias = npt.ArrayLike | Any

# X after validation. Whether X may be CSR depends on a tag, which mypy cannot read.
Matrix: TypeAlias = npt.NDArray[Any]  # float32 or float64, C order
CSR: TypeAlias = sp.csr_array
Data: TypeAlias = Matrix | Any


def is_sparse(X: object) -> "TypeIs[CSR]":
    """Return whether X is sparse; mypy uses this test to tell the two kinds of table apart."""
    return bool(sp.issparse(X))
