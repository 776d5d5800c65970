"""Checks of matrices."""

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats

_TILE = 256  # rows of a tile whose transpose stays in cache
_ROUNDING = 1e-10  # asymmetry allowed as rounding error, relative to the largest entry


def check_matrix(owner: str, A: ArrayLike, *, name: str = "A") -> Floats:
    """Return the matrix as a finite two-dimensional float array."""
    matrix = check_numbers(owner, A, name=name)
    if matrix.ndim != 2:
        raise DataError(f"{owner}: {name} must be a matrix; got shape {matrix.shape}.")
    return matrix


def check_numbers(owner: str, A: ArrayLike, *, name: str = "A", finite: bool = True) -> Floats:
    """Return an array of real numbers as floats; NaN and infinity are allowed if not `finite`."""
    if np.iscomplexobj(A):
        raise DataError(f"{owner}: {name} must be real; Complex data not supported. Give A.real.")
    try:
        array = np.asarray(A, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{owner}: {name} must contain numbers; {error}.") from None
    if finite and not np.isfinite(array).all():
        raise DataError(f"{owner}: {name} contains NaN or infinity.")
    return array


def check_symmetric(owner: str, A: ArrayLike, *, name: str = "A") -> Floats:
    """Check symmetry up to rounding; return the mean of the matrix and its transpose."""
    matrix = check_matrix(owner, A, name=name)
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"{owner}: {name} must be square; got shape {matrix.shape}.")
    largest = np.abs(matrix).max(initial=0.0)
    difference, i, j = asymmetry(matrix)
    if difference > _ROUNDING * largest:
        raise DataError(
            f"{owner}: {name} must be symmetric; got {matrix[i, j]:g} at ({i}, {j}) and "
            f"{matrix[j, i]:g} at ({j}, {i}). Give ({name} + {name}.T) / 2, which has the same "
            "quadratic form."
        )
    return np.asarray(matrix + matrix.T) / 2


def asymmetry(matrix: Floats) -> tuple[float, int, int]:
    """Return the largest difference between entries (i, j) and (j, i), with i and j.

    Examples
    --------
    >>> asymmetry(np.array([[0.0, 3.0], [1.0, 0.0]]))
    (2.0, 0, 1)
    """
    most, row, column = 0.0, 0, 0
    for i in range(0, len(matrix), _TILE):
        for j in range(0, i + 1, _TILE):
            upper, lower = (
                matrix[i : i + _TILE, j : j + _TILE],
                matrix[j : j + _TILE, i : i + _TILE],
            )
            difference = np.abs(upper - lower.T)
            place = int(difference.argmax())
            if difference.flat[place] > most:
                most = float(difference.flat[place])
                row, column = i + place // difference.shape[1], j + place % difference.shape[1]
    return most, row, column


def rank_tolerance(largest: float, shape: tuple[int, ...], tol: float | None) -> float:
    """Return the absolute value up to which a singular value or eigenvalue counts as 0.

    It is `tol` times the largest value; by default `tol` is the larger dimension times the machine
    epsilon.
    """
    relative = max(shape) * np.finfo(np.float64).eps if tol is None else tol
    return float(relative * largest)
