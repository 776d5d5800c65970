"""Centring for dual methods: rows and targets, or a kernel matrix."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_finite
from gramian.base.types import Floats, Matrix, Table
from gramian.kernels.matrix import check_square, check_table


class CentredData(NamedTuple):
    """Rows and targets with their means subtracted.

    Attributes
    ----------
    X : array (n, d)
        The rows minus their means; columns of ones are kept.
    y : array (n,) or (n, outputs)
        The targets minus their means.
    X_mean : array (d,)
        Subtracted from each column; subtract it from new rows too.
    y_mean : float or array (outputs,)
        Subtracted from the targets; add it to predictions.
    """

    X: Matrix
    y: Floats
    X_mean: Floats
    y_mean: Any


def center_data(X: Table, y: npt.ArrayLike) -> CentredData:
    """Subtract the means of the columns and of the targets, except for columns of ones.

    A dual method penalises the intercept as the weight of a column of ones. With X and y centred
    that weight is near zero, so the penalty hardly matters.

    Parameters
    ----------
    X
        Rows (n, d).
    y
        Targets (n,) or (n, outputs).

    Returns
    -------
    centred : CentredData

    Examples
    --------
    >>> center_data([[1.0, 3.0], [1.0, 5.0]], [10.0, 20.0]).X
    array([[ 1., -1.],
           [ 1.,  1.]])
    """
    table = check_table("center_data", "X", X)
    table = np.asarray(table.toarray() if hasattr(table, "toarray") else table)
    try:
        targets = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"center_data: y must contain numbers; {error}.") from error
    if targets.ndim not in (1, 2):
        raise DataError(
            f"center_data: y must have shape (n,) or (n, outputs); got {targets.shape}."
        )
    if len(targets) != len(table):
        raise DataError(
            f"center_data: y has {len(targets)} rows but X has {len(table)}; pass one target per "
            "row."
        )
    check_finite("center_data", "y", targets)
    mean = table.mean(axis=0, dtype=np.float64)
    mean[(table == 1).all(axis=0)] = 0.0
    y_mean: Floats = targets.mean(axis=0)
    return CentredData((table - mean).astype(table.dtype), targets - y_mean, mean, y_mean)


def center_kernel(K: npt.ArrayLike, K_new: npt.ArrayLike | None = None) -> Matrix:
    """Return the kernel matrix of features centred over the training rows.

    ::

        k'(x, z) = k(x, z) - mean_i k(x, x_i) - mean_j k(x_j, z) + mean_ij k(x_i, x_j)

    It is the kernel of phi(x) - mean phi; `sklearn.preprocessing.KernelCenterer` does the same in a
    pipeline.

    Parameters
    ----------
    K
        Kernel matrix of the training rows (n, n).
    K_new
        Kernel values between new and training rows (m, n), centred in the same way; None means K
        itself.

    Returns
    -------
    centred : array of shape (n, n) or (m, n)

    Examples
    --------
    >>> center_kernel([[1.0, 2.0], [2.0, 4.0]])  # x = 1, 2 becomes -1/2, 1/2
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    known = check_table("center_kernel", "K", K)
    check_square("center_kernel", known)
    new = known if K_new is None else check_table("center_kernel", "K_new", K_new)
    if new.shape[1] != known.shape[0]:
        raise DataError(
            f"center_kernel: K_new must have {known.shape[0]} columns, one for each training row; "
            f"got {new.shape[1]}."
        )
    columns = known.mean(axis=0, dtype=np.float64)
    rows = new.mean(axis=1, dtype=np.float64)[:, None]
    return np.asarray(new - columns - rows + columns.mean(), dtype=new.dtype)
