r"""Range spaces: the subsets of given points that a class of sets picks out.

A class H picks out of points P the subsets {P & h : h in H}, its dichotomies. They are found by

    halfspaces   adding point after point: each labelling of the points so far is kept with the
                 new point on either side if a linear program separates it. A labelling whose part
                 cannot be separated is never tried, so that at most 2 Pi(n - 1) programs are
                 solved for point n, and not 2^n.
    balls        the same in the coordinates (x, |x|^2), where a ball is a halfspace whose last
                 weight has one sign
    intervals    runs of the sorted values; boxes: intersections of runs, one for each coordinate
    power set    all of them
    functions    evaluating them

References: Matousek, Lectures on Discrete Geometry, 2002, section 10; Cover, IEEE Transactions on
Electronic Computers 14, 1965.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats

Labellings = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Class = Literal["halfspaces", "balls", "intervals", "boxes", "power_set"]
RangeSpace = Class | Iterable[Callable[[Floats], npt.ArrayLike]]
CLASSES = ("halfspaces", "balls", "intervals", "boxes", "power_set")
_MOST_POINTS = 20  # a million subsets


def dichotomies(X: npt.ArrayLike, sets: RangeSpace = "halfspaces") -> Labellings:
    """Return the subsets of points that the sets of a class pick out.

    Halfspaces and balls are found by linear programs, which treat points closer than about 1e-9 of
    the range of the points as equal.

    Parameters
    ----------
    X
        Points, shape (n, d) or (n,) for the line.
    sets
        ``"halfspaces"``, ``"balls"`` (discs in the plane), ``"intervals"`` (of the line),
        ``"boxes"`` with sides parallel to the axes, ``"power_set"``, or functions that return for
        an array of points which of them lie inside, in a list.

    Returns
    -------
    labellings
        Boolean array with a column per point and a row per subset, in the order of binary numbers.

    Examples
    --------
    >>> square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> len(dichotomies(square)), len(dichotomies(square, "boxes"))
    (14, 10)
    >>> above = [lambda x, t=t: x[:, 0] > t for t in (0.0, 1.5, 9.0)]
    >>> dichotomies([1.0, 2.0, 3.0], above).astype(int)
    array([[0, 0, 0],
           [0, 1, 1],
           [1, 1, 1]])
    """
    points = _points(X)
    if isinstance(sets, str):
        check_class("dichotomies", sets)
        found = _FINDERS[sets](points)
    else:
        found = _by_functions(points, sets)
    return np.unique(found, axis=0)


def halfspace_dichotomies(X: npt.ArrayLike) -> Labellings:
    """Return the subsets of points that halfspaces pick out, by linear programs.

    Parameters
    ----------
    X
        Points, shape (n, d).

    Returns
    -------
    labellings
        Boolean array with a column per point. Points in general position have
        `cover_count` (n, d) rows.

    Examples
    --------
    >>> len(halfspace_dichotomies([[0, 0], [1, 0], [0, 1]]))  # shattered
    8
    """
    return dichotomies(X, "halfspaces")


def check_class(owner: str, sets: str) -> None:
    """Raise unless the name of the class is known.

    Parameters
    ----------
    owner
        The function that was called.
    sets
        Name of the class.

    Examples
    --------
    >>> check_class("dichotomies", "boxes")
    """
    if sets not in CLASSES:
        listed = ", ".join(map(repr, CLASSES))
        raise ParameterError(
            f"{owner}: sets must be one of {listed}, or functions of the points; got {sets!r}."
        )


def _points(X: npt.ArrayLike) -> Floats:
    """Return the points as a finite table."""
    points = np.asarray(X, dtype=float)
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or 0 in points.shape or not np.isfinite(points).all():
        raise DataError(
            "dichotomies: X must be a finite array of points, shape (n, d) with n and d at least "
            f"1; got shape {points.shape}."
        )
    return points


def _by_halfspaces(points: Floats, *, last_positive: bool = False) -> Labellings:
    """Return the labellings that sign(w . x + b) gives."""
    middle: Floats = points.mean(axis=0)
    spread = np.abs(points - middle).max(axis=0)
    design = np.c_[(points - middle) / np.where(spread > 0, spread, 1.0), np.ones(len(points))]
    bounds: list[tuple[float | None, None]] = [(None, None)] * design.shape[1]
    if last_positive:
        bounds[-2] = (0.0, None)
    kept = [(np.empty(0, dtype=bool), np.zeros(design.shape[1]))]
    for n in range(1, len(points) + 1):
        longer = []
        for labels, weights in kept:
            score = design[n - 1] @ weights
            for side in (False, True):
                tried = np.r_[labels, side]
                # Weights that separate the earlier points also decide one side of this one.
                decided_side = weights if abs(score) >= 1 and (score > 0) == side else None
                found = (
                    _separating(design[:n], tried, bounds) if decided_side is None else decided_side
                )
                if found is not None:
                    longer.append((tried, found))
        kept = longer
    return np.array([labels for labels, _ in kept])


def _separating(
    design: Floats, inside: Labellings, bounds: list[tuple[float | None, None]]
) -> Floats | None:
    """Return weights with scores >= 1 inside and <= -1 outside, or None."""
    signs = np.where(inside, -1.0, 1.0)
    found = linprog(
        np.zeros(design.shape[1]),
        A_ub=signs[:, None] * design,
        b_ub=-np.ones(len(design)),
        bounds=bounds,
        method="highs",
    )
    return np.asarray(found.x) if found.status == 0 else None


def _by_balls(points: Floats) -> Labellings:
    """Return the labellings by balls: |x|^2 is the coordinate whose weight has one sign."""
    away: Floats = points - points.mean(axis=0)  # far from 0, |x|^2 would lose digits
    away = away / (np.abs(away).max() or 1.0)
    lifted = np.c_[away, (away**2).sum(axis=1)]
    return ~_by_halfspaces(lifted, last_positive=True)


def _by_intervals(points: Floats) -> Labellings:
    """Return the runs of sorted values."""
    if points.shape[1] != 1:
        raise DataError(
            f"dichotomies: intervals need one-dimensional points; got {points.shape[1]} "
            "coordinates. "
            'Use "boxes", or search with d=1.'
        )
    return _runs(points[:, 0])


def _runs(values: Floats) -> Labellings:
    """Return the subsets low <= x <= high, including the empty one."""
    levels = np.unique(values)
    found = [np.zeros(len(values), dtype=bool)]
    for k, low in enumerate(levels):
        found += [(values >= low) & (values <= high) for high in levels[k:]]
    return np.array(found)


def _by_boxes(points: Floats) -> Labellings:
    """Return the intersections of runs, coordinate by coordinate."""
    found = np.ones((1, len(points)), dtype=bool)
    for column in points.T:
        both = found[:, None, :] & _runs(column)[None, :, :]
        found = np.unique(both.reshape(-1, len(points)), axis=0)
    return found


def _by_power_set(points: Floats) -> Labellings:
    """Return all subsets."""
    n = len(points)
    if n > _MOST_POINTS:
        raise DataError(
            f"dichotomies: {n} points have 2^{n} subsets; pass at most {_MOST_POINTS} points."
        )
    numbers = np.arange(2**n)[:, None]
    return np.asarray((numbers >> np.arange(n - 1, -1, -1)) & 1, dtype=bool)


def _by_functions(points: Floats, functions: Iterable[Any]) -> Labellings:
    """Return which points lie inside, for each function."""
    if not isinstance(functions, Iterable):
        raise ParameterError(
            "dichotomies: sets must be the name of a class or a list of functions of the points; "
            f"got {functions!r}."
        )
    listed = list(functions)
    if not listed or not all(map(callable, listed)):
        raise ParameterError(
            "dichotomies: sets must contain functions of the points, at least one; got "
            f"{listed[:3] or 'none'}."
        )
    rows = [np.asarray(function(points), dtype=bool) for function in listed]
    for row in rows:
        if row.shape != (len(points),):
            raise DataError(
                f"dichotomies: a function must return one value per point, shape ({len(points)},); "
                f"got shape {row.shape}."
            )
    return np.array(rows)


_FINDERS: dict[str, Callable[[Floats], Labellings]] = {
    "halfspaces": _by_halfspaces,
    "balls": _by_balls,
    "intervals": _by_intervals,
    "boxes": _by_boxes,
    "power_set": _by_power_set,
}
