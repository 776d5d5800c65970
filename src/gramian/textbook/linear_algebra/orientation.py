"""Rotations and reflections."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.linalg.checks import check_matrix


def orientation(V: ArrayLike) -> Literal["rotation", "reflection"]:
    """Return whether an orthonormal matrix rotates (determinant 1) or reflects (determinant -1).

    Parameters
    ----------
    V
        Square matrix with orthonormal columns.

    Examples
    --------
    >>> orientation([[0.0, -1.0], [1.0, 0.0]]), orientation([[0.0, 1.0], [1.0, 0.0]])
    ('rotation', 'reflection')
    """
    matrix = check_matrix("orientation", V, name="V")
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"orientation: V must be square; got shape {matrix.shape}.")
    if np.abs(matrix.T @ matrix - np.eye(len(matrix))).max(initial=0.0) > 1e-8:
        raise DataError("orientation: the columns of V must be orthonormal; see gram_schmidt.")
    return "rotation" if np.linalg.det(matrix) > 0 else "reflection"
