"""The design matrix: rows with a column of ones."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.linalg.checks import check_numbers


def design_matrix(X: ArrayLike, *, ones: Literal["first", "last"] = "first") -> Floats:
    """Return the rows with a column of ones added, so that the bias becomes a weight.

    Estimators of this library add it themselves (``fit_intercept``); this is for formulas.

    Parameters
    ----------
    X
        Array (n, d), or (n,) for one column.
    ones
        Position of the column of ones.

    Examples
    --------
    >>> design_matrix([[2.0, 3.0]], ones="last").tolist()
    [[2.0, 3.0, 1.0]]
    """
    table = check_numbers("design_matrix", X, name="X", finite=False)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2:
        raise DataError(f"design_matrix: X must have shape (n, d); got {table.shape}.")
    if ones not in ("first", "last"):
        raise ParameterError(f"design_matrix: ones must be 'first' or 'last'; got {ones!r}.")
    column = np.ones((len(table), 1))
    return np.hstack([column, table] if ones == "first" else [table, column])
