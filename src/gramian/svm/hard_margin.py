"""The hard margin: the widest slab between two classes, from the nearest points of their hulls.

Let u join the nearest points of the two convex hulls (Bennett and Bredensteiner 2000). Then w is
parallel to u, scaled so that the rows nearest to the boundary have w . x + b = 1 and -1. Without a
bias, or with a bias that is the weight of a constant column, the slab is centred at the origin, and
u is the point of the convex hull of y_i x_i nearest to the origin.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.types import Data, Floats
from gramian.solvers.programs.nearest_points import NearestPoints, nearest_points

_MIN_WIDTH = 1e-150


class HardMargin(NamedTuple):
    """A hard-margin hyperplane.

    Attributes
    ----------
    w, b
        The hyperplane, with y_i (w . x_i + b) >= 1.
    beta
        y_i alpha_i, with w = sum_i beta_i x_i.
    found
        Result of the search for the nearest points.
    """

    w: Floats
    b: float
    beta: Floats
    found: NearestPoints


def hard_margin(X: Data, y: Floats, *, ones: float | None, max_iter: int) -> HardMargin:
    """Return the hard-margin hyperplane of separable rows.

    Parameters
    ----------
    X
        Array or CSR matrix (n, d).
    y
        -1 or 1 for each row.
    ones
        Value of the constant column whose weight is the bias; 0 for no bias, None for an
        unpenalised bias.
    max_iter
        Maximum number of steps.

    Examples
    --------
    >>> X, y = np.array([[3.0], [4.0], [1.0]]), np.array([1.0, 1.0, -1.0])
    >>> hard_margin(X, y, ones=None, max_iter=10)[:3]
    (array([1.]), -2.0, array([ 0.5,  0. , -0.5]))
    """
    table, middle, unit = _scaled_rows(X, ones)
    beta = np.zeros(len(y))
    if ones is None:
        A, B = table[y > 0], table[y < 0]
        found = nearest_points(A, B, max_iter=max_iter)
        low, high = float(np.min(A @ found.direction)), float(np.max(B @ found.direction))
        half = (low - high) / 2
        _check_width(half, found.direction, unit)
        w, b = found.direction / half, -(low + high) / 2 / half
        beta[y > 0], beta[y < 0] = found.left / half, -found.right / half
        w, beta = w / unit, beta / unit / unit
        return HardMargin(w, float(b - w @ middle), beta, found)
    A = _with_constant_column(
        sp.diags_array(y) @ table if sp.issparse(table) else y[:, None] * table, y, ones / unit
    )
    found = nearest_points(A, np.zeros((1, A.shape[1])), max_iter=max_iter)
    near = float(np.min(A @ found.direction))
    _check_width(near, found.direction, unit)
    w = found.direction / near / unit
    beta = y * found.left / near / unit / unit
    b = 0.0 if ones == 0 else float(w[-1] * ones)
    return HardMargin(w[:-1] if ones else w, b, beta, found)


def _check_width(half: float, u: Floats, unit: float) -> None:
    """Raise if the multipliers, which scale with the squared width, would overflow."""
    width = 2 * half / float(np.sqrt(u @ u)) * unit
    if not width > _MIN_WIDTH:
        raise DataError(
            f"LinearSVC: the hard margin needs rows further apart; the slab is {width:.2g} wide, "
            "too narrow for finite multipliers. Scale the columns up, or set a finite C."
        )


def _scaled_rows(X: Data, ones: float | None) -> tuple[Any, Floats, float]:
    """Return the rows, centred if the bias is unpenalised, scaled so that squares are finite."""
    values = X.data if sp.issparse(X) else X
    unit = _power_of_two(max(float(np.max(np.abs(values), initial=0.0)), ones or 0.0))
    middle = np.zeros(X.shape[1])
    if sp.issparse(X):
        return sp.csr_array(X, dtype=float) * (1 / unit), middle, unit
    table = np.asarray(X, dtype=float) / unit
    if ones is None:
        middle = table.mean(axis=0)
        table = table - middle
        finer = _power_of_two(float(np.max(np.abs(table))))
        table, middle, unit = table / finer, middle * unit, unit * finer
    return table, middle, unit


def _power_of_two(size: float) -> float:
    return float(2.0 ** np.clip(np.floor(np.log2(size)), -1000, 1000)) if size > 0 else 1.0


def _with_constant_column(table: Any, y: Floats, ones: float) -> Any:
    """Return y_i times the constant column, if there is one."""
    if ones == 0:
        return table
    column: npt.NDArray[Any] = ones * y[:, None]
    if sp.issparse(table):
        return sp.hstack([table, sp.csr_array(column)], format="csr")
    return np.column_stack([table, column])
