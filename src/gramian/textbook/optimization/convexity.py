"""Convexity of functions, points in polytopes, vertices of polygons."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.objectives.derivatives import numeric_hessian


@dataclass(frozen=True)
class ConvexityReport:
    """Convexity at samples: a counterexample disproves it; samples cannot prove it.

    Attributes
    ----------
    chord
        Whether f(x + beta (y - x)) <= f(x) + beta (f(y) - f(x)) at all samples.
    hessian
        Whether the Hessian has no negative eigenvalue at all samples.
    worst
        The largest excess of f above a chord.
    counterexample
        (x, y, beta) with a chord below f, or None.
    """

    chord: bool
    hessian: bool
    worst: float
    counterexample: tuple[Floats, Floats, float] | None


def check_convexity(
    f: Callable[[Floats], float], low: npt.ArrayLike, high: npt.ArrayLike, *, n_samples: int = 200
) -> ConvexityReport:
    """Search for a chord below f, and for negative curvature, at random points of a box.

    Parameters
    ----------
    f
        The function.
    low, high
        Corners of the box.
    n_samples
        Number of chords, and of Hessians.

    Returns
    -------
    ConvexityReport

    Examples
    --------
    >>> from gramian.textbook.optimization import check_convexity
    >>> check_convexity(lambda x: float(x @ x), [-1, -1], [1, 1]).chord
    True
    >>> check_convexity(lambda x: float(x[0] ** 3), [-1], [1]).hessian
    False
    """
    a, b = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    rng = np.random.Generator(np.random.Philox(0))
    worst, counter, curved = -np.inf, None, True
    for _ in range(n_samples):
        x, y, beta = rng.uniform(a, b), rng.uniform(a, b), float(rng.uniform())
        chord = f(x) + beta * (f(y) - f(x))
        excess = float(f(x + beta * (y - x)) - chord)
        worst = max(worst, excess)
        if excess > 1e-9 * (1 + abs(chord)) and counter is None:
            counter = (x, y, beta)
        values = np.linalg.eigvalsh(numeric_hessian(f, x))
        curved &= bool(values[0] >= -1e-4 * (1 + float(np.abs(values).max())))
    return ConvexityReport(counter is None, curved, worst, counter)


def in_polytope(A: npt.ArrayLike, b: npt.ArrayLike, points: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Return which points satisfy Ax <= b.

    Parameters
    ----------
    A, b
        The half-spaces (m, d) and (m,).
    points
        (n, d).

    Returns
    -------
    array (n,) of bool

    Examples
    --------
    >>> from gramian.textbook.optimization import in_polytope
    >>> in_polytope([[1, 1]], [1], [[0, 0], [1, 1]])
    array([ True, False])
    """
    rows, bounds = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    x = np.atleast_2d(np.asarray(points, dtype=float))
    inside: npt.NDArray[np.bool_] = (x @ rows.T <= bounds + 1e-12 * (1 + np.abs(bounds))).all(
        axis=1
    )
    return inside


def polygon_vertices(A: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """Return the corners of {x in the plane: Ax <= b}, counterclockwise.

    Parameters
    ----------
    A, b
        The half-planes (m, 2) and (m,), whose intersection is bounded and has an interior.

    Returns
    -------
    array (k, 2)

    Examples
    --------
    >>> from gramian.textbook.optimization import polygon_vertices
    >>> polygon_vertices([[-1, 0], [0, -1], [1, 1]], [0, 0, 1]).round(6) + 0.0
    array([[0., 0.],
           [1., 0.],
           [0., 1.]])
    """
    rows, bounds = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    lengths = np.linalg.norm(rows, axis=1)
    centre = linprog(  # centre of the largest inscribed disc
        [0, 0, -1],
        A_ub=np.column_stack([rows, lengths]),
        b_ub=bounds,
        bounds=[(None, None), (None, None), (0, None)],
    )
    if centre.x is None or centre.x[2] <= 1e-12:
        raise DataError(
            "polygon_vertices: the half-planes must enclose a polygon with an interior; got "
            f"{'no bound' if centre.status == 3 else 'none'}. Add or loosen constraints."
        )
    half_planes = np.column_stack([rows, -bounds])
    with np.errstate(divide="ignore", invalid="ignore"):  # corners at infinity raise an error below
        corners = HalfspaceIntersection(half_planes, centre.x[:2]).intersections
    if not np.isfinite(corners).all():
        raise DataError("polygon_vertices: the set is unbounded; add constraints that bound it.")
    hull = corners[ConvexHull(corners).vertices]
    first = int(np.lexsort((hull[:, 0], hull[:, 1]))[0])
    return np.roll(hull, -first, axis=0)
