r"""Shattering, the shatter function and the VC dimension.

A class shatters a set of points if it picks out all their 2^n subsets; Pi(n) is the largest number
of subsets that it picks out of n points; the VC dimension D is the size of the largest set that it
shatters. Either Pi(n) = 2^n for all n, or Pi(n) is at most a polynomial of degree D (Sauer,
Shelah).

Named classes have known values (`known_growth`), which are returned if they exist. Other values
come from a search over some sets of points and are lower bounds: sets that were not tried may have
more subsets, or be shattered. The attribute `exact` distinguishes the two, and printed lower bounds
say "at least".
"""

import math
from collections.abc import Iterator, Sized
from itertools import combinations
from typing import Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.textbook.learning_theory.argument_checks import check_count
from gramian.textbook.learning_theory.dichotomies import Class, RangeSpace, check_class, dichotomies
from gramian.textbook.learning_theory.growth import sauer_shelah
from gramian.textbook.learning_theory.known_growth import (
    extremal_points,
    known_count,
    known_vc_dimension,
)

Regime = Literal["polynomial", "exponential", "undecided"]


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
    """The largest number of subsets that a range space picks from n points.

    Attributes
    ----------
    subsets
        The number of subsets.
    points
        Points with that many subsets, shape (n, d).
    exact
        Whether `subsets` is Pi(n) itself. If False it is a lower bound on Pi(n).
    """

    subsets: int
    points: Floats
    exact: bool

    def __str__(self) -> str:
        return f"{'' if self.exact else 'at least '}{self.subsets} subsets"


def shatter_function(
    n: int,
    sets: RangeSpace = "halfspaces",
    *,
    d: int | None = None,
    candidates: npt.ArrayLike | None = None,
    tries: int = 20,
    random_state: object = 0,
) -> ShatterCount:
    """Return the largest number of subsets of n points that a class picks out, or a lower bound.

    Named classes have formulas (`known_count`), except boxes with more than 2 d points in d >= 3
    dimensions or more than 12 points in the plane. These, functions and candidates need a search:
    half of its sets of points are random, half move one point of the best set so far.

    Parameters
    ----------
    n
        Number of points.
    sets
        The class, as in `dichotomies`.
    d
        Number of coordinates; None means 1 for intervals, otherwise 2. Ignored with candidates.
    candidates
        Points to choose from, shape (m, d), instead of all points of the space.
    tries
        Maximum number of sets of points to try. If the candidates have no more subsets, all are
        tried, and the result is exact for these candidates.
    random_state
        Seed for the search.

    Examples
    --------
    >>> [shatter_function(n, d=2).subsets for n in (1, 2, 3, 4, 5)]
    [2, 4, 8, 14, 22]
    >>> print(shatter_function(6, "boxes", d=2))
    49 subsets
    >>> shatter_function(7, "boxes", d=3).exact   # found by a search
    False
    """
    n, d = check_count("shatter_function", "n", n), _coordinates("shatter_function", sets, d)
    check_count("shatter_function", "tries", tries)
    if isinstance(sets, str) and candidates is None:
        known = known_count(sets, n, d)
        if known is not None:
            return ShatterCount(known, extremal_points(sets, n, d), True)
    sets = _as_list(sets)
    generator = stream(seed_of(random_state), n)
    chosen = None if candidates is None else _chosen_sets(n, candidates, tries, generator)
    most = 2**n if isinstance(sets, str) else min(2**n, len(cast("Sized", sets)))
    best = ShatterCount(0, np.empty((0, d)), False)
    for k in range(tries if chosen is None else len(chosen)):
        points = _next_set(k, n, d, sets, best.points, generator) if chosen is None else chosen[k]
        count = len(dichotomies(points, sets))
        if count > best.subsets:
            best = ShatterCount(count, points, count == most)
        if best.exact:
            return best
    all_tried = chosen is not None and len(chosen) == math.comb(len(np.asarray(candidates)), n)
    return best._replace(exact=all_tried)


class VCDimension(NamedTuple):
    """A known VC dimension, or the size of the largest shattered set found.

    Attributes
    ----------
    dimension
        The VC dimension, infinity for the power set; or the size of the largest shattered set that
        was found.
    points
        A shattered set of that size, shape (dimension, d); empty if the dimension is infinite.
    exact
        Whether `dimension` is the VC dimension. If False it is a lower bound.
    exhausted
        Whether a search ended because it found no larger shattered set; False if it ended at
        `most` or had no more candidates. True where no search was needed.
    """

    dimension: float
    points: Floats
    exact: bool
    exhausted: bool

    def __str__(self) -> str:
        return f"VC dimension {'' if self.exact else 'at least '}{self.dimension}"


def vc_dimension(
    sets: RangeSpace = "halfspaces",
    *,
    d: int | None = None,
    most: int = 8,
    candidates: npt.ArrayLike | None = None,
    tries: int = 20,
    random_state: object = 0,
) -> VCDimension:
    """Return the known VC dimension of a class, or search for large shattered sets.

    The dimension of a named class is known. For functions or candidates, sizes are tried in
    ascending order, because a subset of a shattered set is shattered. The result is a lower bound,
    unless all subsets of the candidates were tried or there are too few functions for a larger set.

    Parameters
    ----------
    sets
        The class, as in `dichotomies`.
    d
        Number of coordinates; None means 1 for intervals, otherwise 2. Ignored with candidates.
    most
        Largest size that a search tries.
    candidates
        Points to choose from instead of all points of the space.
    tries
        Number of sets of each size that a search tries.
    random_state
        Seed for the search.

    Examples
    --------
    >>> vc_dimension("halfspaces", d=6).dimension, vc_dimension("power_set").dimension
    (7, inf)
    >>> left = [lambda x, t=t: x[:, 0] < t for t in np.linspace(-2, 2, 41)]
    >>> print(vc_dimension(left, d=1))
    VC dimension at least 1
    """
    check_count("vc_dimension", "most", most)
    d = _coordinates("vc_dimension", sets, d)
    if isinstance(sets, str) and candidates is None:
        known = known_vc_dimension(sets, d)
        size = 0 if math.isinf(known) else int(known)
        return VCDimension(known, extremal_points(sets, size, d), True, True)
    sets = _as_list(sets)
    found = VCDimension(0, np.empty((0, d)), False, True)
    for n in range(1, most + 1):
        if not isinstance(sets, str) and 2**n > len(cast("Sized", sets)):
            return found._replace(exact=True)
        if candidates is not None and n > len(np.asarray(candidates)):
            return found._replace(exact=True, exhausted=False)
        count, points, exact = shatter_function(
            n, sets, d=d, candidates=candidates, tries=tries, random_state=random_state
        )
        if count < 2**n:
            return found._replace(exact=exact)
        found = VCDimension(n, points, False, True)
    return found._replace(exhausted=False)


class GrowthReport(NamedTuple):
    """The growth of a class, compared with 2^n and the polynomial bound.

    Attributes
    ----------
    n
        Numbers of points.
    counts
        Largest known or found number of subsets for each n.
    subsets
        2^n.
    polynomial
        The bound of Sauer and Shelah for `vc_dimension`; 2^n if that is infinite. If
        `vc_dimension` is a lower bound, so is this.
    regime
        ``"polynomial"`` if the VC dimension is finite, ``"exponential"`` if it is infinite. After a
        search: ``"polynomial"`` if for some size no shattered set was found, ``"undecided"``
        otherwise.
    vc_dimension
        The VC dimension, or the largest n with a shattered set that was found.
    exact
        For each n, whether its count is Pi(n); if False it is a lower bound.
    known
        Whether `vc_dimension` and `regime` are known; if False the dimension is a lower bound and
        the regime is only suggested by the search.
    """

    n: list[int]
    counts: list[int]
    subsets: list[int]
    polynomial: list[int]
    regime: Regime
    vc_dimension: float
    exact: list[bool]
    known: bool

    def __str__(self) -> str:
        counts = ", ".join(
            f"{'' if exact else '>= '}{count}"
            for count, exact in zip(self.counts, self.exact, strict=True)
        )
        growth, dimension = f"{self.regime} growth", f"VC dimension {self.vc_dimension}"
        if not self.known:
            growth += " as far as searched"
            dimension = f"VC dimension at least {self.vc_dimension}"
        return f"{growth}, {dimension}; subsets of 1, 2, ... points: {counts}"


def growth_report(
    sets: RangeSpace = "halfspaces",
    *,
    d: int | None = None,
    most: int = 7,
    tries: int = 10,
    random_state: object = 0,
) -> GrowthReport:
    """Report whether a class grows as a polynomial of n or as 2^n.

    Both are known for named classes. For functions the report has lower bounds from a search over
    random points.

    Parameters
    ----------
    sets
        The class, as in `dichotomies`.
    d
        Number of coordinates; None means 1 for intervals, else 2.
    most
        Largest number of points.
    tries
        Number of sets of points to try for each size.
    random_state
        Seed for the search.

    Examples
    --------
    >>> report = growth_report("halfspaces", d=2, most=5)
    >>> report.counts, report.polynomial
    ([2, 4, 8, 14, 22], [2, 4, 8, 15, 26])
    >>> print(report)
    polynomial growth, VC dimension 3; subsets of 1, 2, ... points: 2, 4, 8, 14, 22
    """
    sizes = list(range(1, check_count("growth_report", "most", most) + 1))
    d = _coordinates("growth_report", sets, d)
    sets = _as_list(sets)
    found = [shatter_function(n, sets, d=d, tries=tries, random_state=random_state) for n in sizes]
    known = isinstance(sets, str)
    full = [n for n, count in zip(sizes, found, strict=True) if count.subsets == 2**n]
    dimension = known_vc_dimension(cast("Class", sets), d) if known else max(full, default=0)
    regime: Regime = "polynomial"
    if math.isinf(dimension):
        regime = "exponential"
    elif not known and dimension == most:
        regime = "undecided"
    bounds = [sauer_shelah(n, int(min(n, dimension))) for n in sizes]
    counts, exact = [each.subsets for each in found], [each.exact for each in found]
    return GrowthReport(
        sizes, counts, [2**n for n in sizes], bounds, regime, dimension, exact, known
    )


def _coordinates(owner: str, sets: RangeSpace, d: int | None) -> int:
    """Return the number of coordinates of the points."""
    if isinstance(sets, str):
        check_class(owner, sets)
    if d is None:
        return 1 if sets == "intervals" else 2
    return check_count(owner, "d", d)


def _as_list(sets: RangeSpace) -> RangeSpace:
    """Return the class with its functions as a list, which can be iterated several times."""
    return list(sets) if isinstance(sets, Iterator) else sets


def _next_set(
    k: int, n: int, d: int, sets: RangeSpace, best: Floats, generator: np.random.Generator
) -> Floats:
    """Return the k-th set of points to try: a random set, or the best set with one point moved."""
    if k == 0 and isinstance(sets, str):
        return extremal_points(sets, n, d)
    drawn = generator.normal(size=(n, d))
    if k % 2 == 0 or k == 1:
        return drawn
    changed = best.copy()
    row = generator.integers(n)
    changed[row] = drawn[row]
    return changed


def _chosen_sets(
    n: int, candidates: npt.ArrayLike, tries: int, generator: np.random.Generator
) -> list[Floats]:
    """Return the sets of n candidates to try; all sets if there are at most `tries`."""
    points = np.asarray(candidates, dtype=float)
    points = points[:, None] if points.ndim == 1 else points
    if n > len(points):
        raise DataError(
            f"shatter_function: candidates must contain at least {n} points; got {len(points)}."
        )
    if math.comb(len(points), n) <= tries:
        return [points[list(rows)] for rows in combinations(range(len(points)), n)]
    return [points[generator.choice(len(points), n, replace=False)] for _ in range(tries)]
