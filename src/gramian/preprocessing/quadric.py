"""Quadrics, the zero sets of quadratic functions, and their shapes."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats


class Quadric(NamedTuple):
    """The quadratic function x' A x + b . x + c; its zeros form the surface."""

    matrix: Floats  # A, symmetric
    linear: Floats  # b
    constant: float  # c

    def __call__(self, X: npt.ArrayLike) -> Floats:
        """Return the value of the function at each row."""
        rows = np.asarray(X, dtype=np.float64)
        values: Floats = ((rows @ self.matrix) * rows).sum(axis=1) + rows @ self.linear
        return values + self.constant


def classify_quadric(
    matrix: npt.ArrayLike, linear: npt.ArrayLike, constant: float = 0.0, *, tol: float = 1e-9
) -> str:
    """Return the name of the shape x' A x + b . x + c = 0.

    A rotation to the eigenvectors of A and a shift remove as much of b as possible, which leaves ::

        l_1 u_1^2 + ... + l_r u_r^2 + g u_{r+1} + c' = 0,

    where the l_i are the eigenvalues of A that are not zero, g is the length of the part of b
    in the null space of A, and c' = c - b' A^+ b / 4. The signs of l, g and c' name the shape;
    a direction that appears in no term makes it a cylinder.

    Parameters
    ----------
    matrix
        A, shape (d, d); only its symmetric part has an effect.
    linear
        b, shape (d,).
    constant
        The constant c.
    tol
        Eigenvalues, g and c' below this, relative to terms of the same kind, count as zero. Raise
        it for the approximate shape of a fitted boundary, which is never exactly a parabola.

    Returns
    -------
    str
        In the plane 'circle', 'ellipse', 'parabola', 'hyperbola', 'crossing lines', 'parallel
        lines', 'line', 'point'; in space 'sphere', 'ellipsoid', 'elliptic paraboloid',
        'hyperbolic paraboloid', 'hyperboloid of one sheet', 'hyperboloid of two sheets', 'cone',
        'crossing planes', 'parallel planes', 'plane', 'line', 'point' and cylinders over the
        shapes of the plane; in higher dimensions the same names with dimensions; 'empty' if no
        point satisfies the equation, 'everything' if all points do.

    Examples
    --------
    >>> classify_quadric([[1, 0], [0, 4]], [0, 0], -1)
    'ellipse'
    >>> classify_quadric([[0, 0.5], [0.5, 0]], [0, 0], -1)  # x y = 1
    'hyperbola'
    >>> classify_quadric([[1, 0], [0, 0]], [0, -1])  # y = x^2
    'parabola'
    """
    A, b = _check_coefficients(matrix, linear, constant)
    d = len(b)
    values, vectors = np.linalg.eigh(A)
    # Relative to max |l|, b and c have the units length and length^2: shapes do not depend on size.
    curved = np.abs(values) > tol * np.abs(values).max()
    along = vectors.T @ b
    size = np.linalg.norm(b)
    free = float(np.linalg.norm(along[~curved]))
    if free > tol * size:
        return _parabolic(values[curved], d)
    shift = along[curved] ** 2 / (4 * values[curved])
    rest = constant - shift.sum()
    if abs(rest) <= tol * (abs(constant) + np.abs(shift).sum()):
        rest = 0.0
    if not curved.any():
        return "everything" if rest == 0 else "empty"
    return _central(values[curved], rest, d, tol)


def _check_coefficients(
    matrix: npt.ArrayLike, linear: npt.ArrayLike, constant: float
) -> tuple[Floats, Floats]:
    A, b = np.asarray(matrix, dtype=np.float64), np.asarray(linear, dtype=np.float64)
    if b.ndim != 1 or len(b) == 0 or A.shape != (len(b), len(b)):
        raise DataError(
            "classify_quadric: matrix must be square, with one row per element of linear; "
            f"got shapes {A.shape} and {b.shape}."
        )
    if not (np.isfinite(A).all() and np.isfinite(b).all() and np.isfinite(constant)):
        raise DataError("classify_quadric: every coefficient must be finite; got NaN or inf.")
    return (A + A.T) / 2, b


def _parabolic(values: Floats, d: int) -> str:
    """Return the name of l_1 u_1^2 + ... + l_r u_r^2 + g u_{r+1} = 0."""
    used = len(values) + 1
    if used == 1:
        return _affine_name(d - 1, d)
    if used == 2:
        return _cylinder("parabola", used, d)
    definite = (values > 0).all() or (values < 0).all()
    return _cylinder("elliptic paraboloid" if definite else "hyperbolic paraboloid", used, d)


def _central(values: Floats, rest: float, d: int, tol: float) -> str:
    """Return the name of l_1 u_1^2 + ... + l_r u_r^2 + c' = 0."""
    rank = len(values)
    values = -values if rest > 0 else values  # now the squares sum to |c'|
    positive = int((values > 0).sum())
    if rest == 0:
        if positive in (0, rank):
            return _affine_name(d - rank, d)
        return f"crossing {_affine_name(d - 1, d)}s" if rank == 2 else _cylinder("cone", rank, d)
    if positive == 0:
        return "empty"
    if rank == 1:
        return "two points" if d == 1 else f"parallel {_affine_name(d - 1, d)}s"
    if positive < rank:
        return _cylinder(_hyperboloid(positive, rank), rank, d)
    round_ = values.max() - values.min() <= tol * values.max()
    names = ("circle", "ellipse") if rank == 2 else ("sphere", "ellipsoid")
    return _cylinder(names[0] if round_ else names[1], rank, d)


def _hyperboloid(positive: int, rank: int) -> str:
    """Return the name; two sheets if exactly one square has the opposite sign."""
    if rank == 2:
        return "hyperbola"
    return f"hyperboloid of {'two sheets' if positive == 1 else 'one sheet'}"


def _cylinder(shape: str, used: int, d: int) -> str:
    """Return the name of a cylinder over a shape of `used` dimensions in d dimensions."""
    if used == d:
        return shape
    return f"cylinder over {'an' if shape[0] in 'aeiou' else 'a'} {shape}"


def _affine_name(dimension: int, d: int) -> str:
    """Return the name of an affine subspace in d dimensions."""
    if dimension < 3:
        return ("point", "line", "plane")[dimension]
    return "hyperplane" if dimension == d - 1 else f"flat of dimension {dimension}"
