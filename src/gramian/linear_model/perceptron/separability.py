"""Whether a hyperplane separates two classes: a linear program decides, with a proof.

The program  min sum_i xi_i  subject to  y_i (w . x_i + b) >= 1 - xi_i,  xi_i >= 0  has the value 0
exactly if some hyperplane separates the classes; then w, b are the certificate. Otherwise the dual
variables, 0 <= lambda_i <= 1, are the certificate: sum_i lambda_i y_i x_i = 0 and sum_i lambda_i
y_i = 0 with sum_i lambda_i > 0, which means that the convex hulls of the classes meet.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import linprog

from gramian.base.errors import DataError
from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.types import Floats, Table

_TOLERANCE = 1e-7  # HiGHS satisfies constraints to about this, and treats smaller coefficients as 0


class Separability(NamedTuple):
    """Result of `separability`.

    Attributes
    ----------
    separable
        Whether a hyperplane has all rows of one class on one side and all others on the other.
    w, b
        If separable, a hyperplane with y_i (w . x_i + b) >= 1; else one with the least sum of
        slack.
    slack
        The smallest sum of slacks; 0 if separable.
    multipliers
        If not separable, lambda: row weights for which both classes have the same weighted mean, a
        point in both convex hulls. Zeros if separable.
    """

    separable: bool
    w: Floats
    b: float
    slack: float
    multipliers: Floats


def separability(X: Table, y: npt.ArrayLike, *, fit_intercept: bool = True) -> Separability:
    """Return whether a hyperplane separates two classes, with a certificate in both cases.

    Parameters
    ----------
    X
        Array or CSR matrix (n, d).
    y
        -1 or 1 for each row, or any two labels; the second in sorted order means 1.
    fit_intercept
        Whether the hyperplane has a bias; without one it passes through the origin.

    Returns
    -------
    result
        A `Separability`.

    Examples
    --------
    >>> corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    >>> xor = np.array([-1, -1, 1, 1])
    >>> separability(corners, xor).separable
    False
    >>> lifted = np.column_stack([corners, corners[:, 0] * corners[:, 1]])
    >>> separability(lifted, xor).separable
    True
    """
    table = sp.csr_array(X if sp.issparse(X) else np.asarray(X, dtype=float), dtype=float)
    if not np.isfinite(table.data).all():
        raise DataError("separability: X contains NaN or infinity; impute missing values first.")
    n, d = table.shape
    labels = _signs(y, n)
    units = column_scales(table)
    design = table @ sp.diags_array(1 / units)
    if fit_intercept:
        design = sp.hstack([design, sp.csr_array(np.ones((n, 1)))], format="csr")
    m = design.shape[1]
    rows = -(sp.diags_array(labels) @ design)
    found = interruptible(
        PROGRAM * n * m,
        linprog,
        np.r_[np.zeros(m), np.ones(n)],
        A_ub=sp.hstack([rows, -sp.eye_array(n)], format="csr"),
        b_ub=-np.ones(n),
        bounds=[(None, None)] * m + [(0, None)] * n,
        method="highs",
    )
    if found.x is None or found.fun is None:
        raise DataError(f"separability: HiGHS did not solve the linear program: {found.message}")
    w, b = found.x[:d] / units, float(found.x[d]) if fit_intercept else 0.0
    margins = labels * (np.asarray(table @ w) + b)
    separable = bool(found.fun <= _TOLERANCE * n and (margins > 0).all())
    slack = 0.0 if separable else float(found.fun)
    certificate = np.zeros(n) if separable else -np.asarray(found.ineqlin.marginals)
    return Separability(separable, w, b, slack, certificate)


def column_scales(table: sp.csr_array) -> Floats:
    """Return the largest absolute value of each column; 1 for a column of zeros.

    The solution does not depend on the units of the columns, but the tolerances of HiGHS do.
    """
    units = np.asarray(abs(table).max(axis=0).toarray(), dtype=float).ravel()
    units[units == 0] = 1.0
    return units


def _signs(y: npt.ArrayLike, n: int) -> Floats:
    """Return -1 or 1 for each of n rows."""
    labels = np.asarray(y)
    kinds = np.unique(labels)
    if labels.shape != (n,) or len(kinds) > 2:
        raise DataError(
            "separability: y must contain one of two labels for each row of X; got shape "
            f"{labels.shape} with {len(kinds)} labels for {n} rows. Test one class against "
            "the rest, y == label."
        )
    if len(kinds) < 2:
        return np.where(labels == -1, -1.0, 1.0)
    return np.where(labels == kinds[1], 1.0, -1.0)
