"""Types of arrays that the families share."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

Floats: TypeAlias = npt.NDArray[np.float64]
Weights: TypeAlias = npt.NDArray[np.float64]  # one per row
RowNumbers: TypeAlias = npt.NDArray[np.intp]

# What a user gives as X: an array, a list, a frame or a sparse matrix, which becomes CSR.
Table: TypeAlias = npt.ArrayLike | sp.sparray | sp.spmatrix

# What the gate makes of it.
Matrix: TypeAlias = npt.NDArray[Any]  # float32 or float64, C order
Data: TypeAlias = Any  # a Matrix or a CSR array; the two share shape, dtype and row slices
