"""Rows of any table: how many there are, and some of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import indexable


def number_of_rows(table: Any) -> int:
    """Return the number of rows of an array, a frame, a sparse matrix or a list."""
    return int(table.shape[0]) if hasattr(table, "shape") else len(table)


def take(table: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows, in the form of the table."""
    if hasattr(table, "iloc"):  # pandas
        return table.iloc[rows]
    (table,) = indexable(table)  # a sparse matrix becomes CSR, an iterable a list
    if hasattr(table, "shape"):
        return table[rows]
    return [table[i] for i in rows]
