r"""Total least squares: the line or plane nearest to points in orthogonal distance.

Least squares minimises sum (y_i - b - w . x_i)^2, distances along y; total least squares the
distances perpendicular to the plane. With errors of equal variance in all columns it is the
maximum-likelihood fit. Its normal is the last principal component of (X, y). See Golub and
Van Loan, *Matrix Computations*, 2013, section 6.3.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.gate import LARGEST
from gramian.base.runtime import lapack
from gramian.base.types import Floats
from gramian.linalg.checks import check_matrix, check_numbers


class OrthogonalFit(NamedTuple):
    """A plane normal . (x, y) = offset.

    Attributes
    ----------
    coef, intercept
        The same plane as y = intercept + coef . x.
    normal, offset
        Unit normal, and the distance of the plane from the origin along it.
    sum_of_squares
        Sum of squared orthogonal distances.
    """

    coef: Floats
    intercept: float
    normal: Floats
    offset: float
    sum_of_squares: float


def total_least_squares(X: npt.ArrayLike, y: npt.ArrayLike) -> OrthogonalFit:
    """Fit y = b + w . x by minimising squared orthogonal distances.

    Parameters
    ----------
    X
        Rows (n, d), or n numbers.
    y
        Targets (n,).

    Examples
    --------
    >>> fit = total_least_squares([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    >>> fit.coef.round(9).tolist(), round(fit.intercept, 9)
    ([2.0], 1.0)
    """
    owner = "total_least_squares"
    numbers = check_numbers(owner, X, name="X")
    rows = check_matrix(owner, numbers[:, None] if numbers.ndim == 1 else numbers, name="X")
    targets = check_numbers(owner, y, name="y")
    if targets.shape != (len(rows),):
        raise DataError(
            f"{owner}: y must contain {len(rows)} numbers, one per row; got shape {targets.shape}."
        )
    if max(np.abs(rows).max(initial=0.0), np.abs(targets).max(initial=0.0)) > LARGEST:
        raise DataError(
            f"{owner}: X and y must be at most {LARGEST:g} in size, so that sums of "
            "squares stay finite. Divide both by a constant."
        )
    n, d = rows.shape
    if n <= d:
        raise DataError(f"{owner}: X must have more rows than columns; got {n} and {d}.")
    points = np.column_stack([rows, targets])
    mean: Floats = points.mean(axis=0)
    _, sizes, Vt = lapack.svd(points - mean)
    normal = Vt[-1]
    if len(sizes) > 1 and sizes[-2] - sizes[-1] <= 1e-14 * sizes[0]:
        raise DataError(
            f"{owner}: the plane is not unique: the last two singular values are "
            f"{sizes[-2]:.6g} and {sizes[-1]:.6g}; remove dependent columns."
        )
    if abs(normal[-1]) <= 1e-12:
        raise DataError(
            f"{owner}: the nearest plane is parallel to the y axis, so y is not a function of x; "
            "its normal is the last component of PCA on (X, y)."
        )
    normal = normal * np.sign(normal[-1])
    coef = -normal[:-1] / normal[-1]
    offset = float(normal @ mean)
    intercept = float(mean[-1] - coef @ mean[:-1])
    return OrthogonalFit(coef, intercept, normal, offset, float(sizes[-1] ** 2))
