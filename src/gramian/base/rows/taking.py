"""Number of rows of any table, and selections of rows."""

from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import indexable


def number_of_rows(table: Any) -> int:
    """Return the number of rows of an array, a frame, a sparse matrix or a list."""
    return int(table.shape[0]) if hasattr(table, "shape") else len(table)


def take(table: Any, rows: NDArray[np.intp]) -> Any:
    """Return the rows with these indices, in the type of the table."""
    if sp.issparse(table) and table.format in ("csr", "csc"):
        return table[rows]
    if hasattr(table, "iloc"):  # pandas
        return table.iloc[rows]
    frame = nw.from_native(table, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(frame, nw.DataFrame | nw.Series):
        return frame[rows].to_native()
    (table,) = indexable(table)  # a sparse matrix becomes CSR, an iterable a list
    if hasattr(table, "shape"):
        return table[rows]
    return [table[i] for i in rows]
