r"""Shattering, the shatter function and the VC dimension.

A class shatters a set of points if it picks out all their 2^n subsets; Pi(n) is the largest number
of subsets that it picks out of n points; the VC dimension D is the size of the largest set that it
shatters. Either Pi(n) = 2^n for all n, or Pi(n) is at most a polynomial of degree D (Sauer,
Shelah). What a search finds is a lower bound: points that were not tried may be shattered.
"""

import math
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.textbook.learning_theory.argument_checks import check_count
from gramian.textbook.learning_theory.dichotomies import Class, RangeSpace, dichotomies
from gramian.textbook.learning_theory.growth import cover_count, sauer_shelah

Regime = Literal["polynomial", "exponential"]
_FLOAT_BITS = 1024  # 2^1024 is infinite as a float


def is_shattered(X: npt.ArrayLike, sets: RangeSpace = "halfspaces") -> bool:
    """Return whether the class picks out every subset of the points.

    Parameters
    ----------
    X
        Points, shape (n, d) or (n,).
    sets
        The class, as in `dichotomies`.

    Examples
    --------
    >>> triangle = [[0, 0], [1, 0], [0, 1]]
    >>> is_shattered(triangle), is_shattered([*triangle, [1, 1]])
    (True, False)
    """
    found = dichotomies(X, sets)
    return bool(len(found) == 2 ** found.shape[1])


class ShatterCount(NamedTuple):
    """The most subsets of n points that were found.

    Attributes
    ----------
    subsets
        Their number, a lower bound on Pi(n).
    points
        Points that reach it, shape (n, d).
    """

    subsets: int
    points: Floats


def shatter_function(
    n: int,
    sets: RangeSpace = "halfspaces",
    *,
    d: int = 2,
    candidates: npt.ArrayLike | None = None,
    tries: int = 20,
    random_state: object = 0,
) -> ShatterCount:
    """Search for n points of which a class picks out as many subsets as it can.

    Parameters
    ----------
    n
        Number of points.
    sets
        The class, as in `dichotomies`.
    d
        Number of coordinates of random points.
    candidates
        Points to choose from, shape (m, d); None draws normal ones.
    tries
        Number of sets of points tried; all subsets of the candidates if they are no more.
    random_state
        Seed of the points and choices.

    Examples
    --------
    >>> [shatter_function(n, d=2).subsets for n in (1, 2, 3, 4, 5)]
    [2, 4, 8, 14, 22]
    """
    n, d = check_count("shatter_function", "n", n), check_count("shatter_function", "d", d)
    check_count("shatter_function", "tries", tries)
    sets = _repeatable(sets)
    best = ShatterCount(0, np.empty((0, 0)))
    for points in _sets_of_points(n, d, candidates, tries, random_state):
        count = len(dichotomies(points, sets))
        if count > best.subsets:
            best = ShatterCount(count, points)
        if count == 2**n:
            break
    return best


class VCDimension(NamedTuple):
    """What a search for shattered sets found.

    Attributes
    ----------
    dimension
        Size of the largest shattered set that was found: a lower bound on the VC dimension.
    points
        That set, shape (dimension, d).
    exhausted
        Whether the search ended because no set of the next size was shattered; False if it ended
        at `most`, so that larger sets may be shattered.
    """

    dimension: int
    points: Floats
    exhausted: bool


def vc_dimension(
    sets: RangeSpace = "halfspaces",
    *,
    d: int = 2,
    most: int = 8,
    candidates: npt.ArrayLike | None = None,
    tries: int = 20,
    random_state: object = 0,
) -> VCDimension:
    """Search for the largest set of points that a class shatters.

    A subset of a shattered set is shattered, so the sizes are tried upwards.

    Parameters
    ----------
    sets
        The class, as in `dichotomies`.
    d
        Number of coordinates of random points.
    most
        Largest size tried.
    candidates
        Points to choose from; None draws normal ones.
    tries
        Number of sets tried of each size.
    random_state
        Seed of the points and choices.

    Examples
    --------
    >>> vc_dimension("halfspaces", d=2).dimension, vc_dimension("boxes", d=2).dimension
    (3, 4)
    """
    check_count("vc_dimension", "most", most)
    check_count("vc_dimension", "d", d)
    sets = _repeatable(sets)
    found = VCDimension(0, np.empty((0, d)), True)
    for n in range(1, most + 1):
        if candidates is not None and n > len(np.asarray(candidates)):
            return found._replace(exhausted=False)
        count, points = shatter_function(
            n, sets, d=d, candidates=candidates, tries=tries, random_state=random_state
        )
        if count < 2**n:
            return found
        found = VCDimension(n, points, True)
    return found._replace(exhausted=False)


def known_vc_dimension(sets: Class, d: int) -> float:
    """Return the VC dimension of a class that is known.

    Parameters
    ----------
    sets
        Name of the class, as in `dichotomies`.
    d
        Number of coordinates.

    Returns
    -------
    dimension
        d + 1 for halfspaces and balls, 2 d for boxes, 2 for intervals of the line, infinity for
        the power set.

    Examples
    --------
    >>> known_vc_dimension("halfspaces", 2), known_vc_dimension("power_set", 2)
    (3, inf)
    """
    d = check_count("known_vc_dimension", "d", d)
    known = {
        "halfspaces": d + 1,
        "balls": d + 1,
        "boxes": 2 * d,
        "intervals": 2,
        "power_set": math.inf,
    }
    if sets not in known:
        listed = ", ".join(map(repr, get_args(Class)))
        raise ParameterError(f"known_vc_dimension: sets must be one of {listed}; got {sets!r}.")
    return known[sets]


class GrowthReport(NamedTuple):
    """The growth of a class beside 2^n and the polynomial bound.

    Attributes
    ----------
    n
        Numbers of points.
    counts
        Most subsets found of that many points.
    subsets
        2^n.
    polynomial
        The bound of Sauer and Shelah for the VC dimension found so far.
    regime
        ``"exponential"`` if a set of every size tried was shattered, else ``"polynomial"``.
    vc_dimension
        Largest n with a shattered set; a lower bound if the regime is exponential.
    """

    n: list[int]
    counts: list[int]
    subsets: list[int]
    polynomial: list[int]
    regime: Regime
    vc_dimension: int


def growth_report(
    sets: RangeSpace = "halfspaces",
    *,
    d: int = 2,
    most: int = 7,
    tries: int = 10,
    random_state: object = 0,
) -> GrowthReport:
    """Tell whether a class grows as a polynomial of n or as 2^n, as far as can be computed.

    Parameters
    ----------
    sets
        The class, as in `dichotomies`.
    d
        Number of coordinates.
    most
        Largest number of points.
    tries
        Number of sets of points tried of each size.
    random_state
        Seed of the points.

    Examples
    --------
    >>> report = growth_report("halfspaces", d=2, most=5)
    >>> report.regime, report.vc_dimension, report.counts, report.polynomial
    ('polynomial', 3, [2, 4, 8, 14, 22], [2, 4, 8, 15, 26])
    """
    sizes = list(range(1, check_count("growth_report", "most", most) + 1))
    check_count("growth_report", "d", d)
    sets = _repeatable(sets)
    counts = [
        shatter_function(n, sets, d=d, tries=tries, random_state=random_state).subsets
        for n in sizes
    ]
    full = [n for n, count in zip(sizes, counts, strict=True) if count == 2**n]
    dimension = max(full, default=0)
    regime: Regime = "exponential" if dimension == most else "polynomial"
    bounds = [sauer_shelah(n, dimension) for n in sizes]
    return GrowthReport(sizes, counts, [2**n for n in sizes], bounds, regime, dimension)


def growth_function(sets: Class, d: int) -> Callable[[int], float]:
    """Return the known growth function of a class, for `UniformBound` and the other bounds.

    Parameters
    ----------
    sets
        ``"halfspaces"`` has Cover's count; the others the bound of Sauer and Shelah for their VC
        dimension; the power set 2^n, as infinity where that is too large for a float.
    d
        Number of coordinates.

    Examples
    --------
    >>> growth_function("halfspaces", 2)(4), growth_function("boxes", 2)(5)
    (14, 31)
    """
    dimension = known_vc_dimension(sets, d)
    if sets == "halfspaces":
        return lambda n: cover_count(n, d)
    if math.isinf(dimension):
        return lambda n: 2**n if n < _FLOAT_BITS else math.inf
    return lambda n: sauer_shelah(n, int(dimension))


def _repeatable(sets: RangeSpace) -> RangeSpace:
    """Return the class so that its functions can be called for many sets of points."""
    return list(sets) if isinstance(sets, Iterator) else sets


def _sets_of_points(
    n: int, d: int, candidates: npt.ArrayLike | None, tries: int, random_state: object
) -> list[Floats]:
    """Return the sets of n points to try."""
    generator = stream(seed_of(random_state), n)
    if candidates is None:
        drawn = [generator.normal(size=(n, d)) for _ in range(tries)]
        # Few random sets lie as the corners of a cross do, which boxes shatter.
        return drawn if n > 2 * d else [np.r_[np.eye(d), -np.eye(d)][:n], *drawn[1:]]
    points = np.asarray(candidates, dtype=float)
    points = points[:, None] if points.ndim == 1 else points
    if n > len(points):
        raise DataError(
            f"shatter_function: {n} points are asked for; got {len(points)} candidates."
        )
    if math.comb(len(points), n) <= tries:
        return [points[list(rows)] for rows in combinations(range(len(points)), n)]
    return [points[generator.choice(len(points), n, replace=False)] for _ in range(tries)]
