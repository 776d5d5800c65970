r"""Known VC dimensions and growth functions, and points that attain them.

    class               VC dimension   Pi(n)
    halfspaces of R^d   d + 1          2 sum_{i=0}^{d} C(n - 1, i)                          (Cover)
    balls of R^d        d + 1          sum_{i=0}^{d+1} C(n, i)
    intervals           2              1 + n + C(n, 2)
    boxes of R^d        2 d            2^n up to n = 2 d, then at most sum_{i=0}^{2d} C(n, i)
    power set           infinite       2^n

Balls: in the coordinates (x, |x|^2) a ball is a halfspace whose last weight has one sign.
Halfspaces make 2 sum_{i=0}^{d+1} C(n - 1, i) labellings there; those that both signs of the last
weight make are the labellings by halfspaces of R^d; of all others a ball makes one of each pair of
complements. Half the sum of both counts is that of Sauer and Shelah.

Boxes of the plane: a subset that a box picks out is determined by its leftmost, rightmost, lowest
and highest points. These are none, one, any two, any three that are not monotone from left to
right, or four of which no three are monotone. Two decreasing runs, of m = floor(n / 2) points low
on the left and of n - m points high on the right, therefore have

    1 + n + C(n, 2) + C(n, 3) - C(m, 3) - C(n - m, 3) + C(m, 2) C(n - m, 2)

subsets. Up to n = 12 no points have more: all orders of up to 11 points were counted, and every
four of 12 points lie in 8 of their subsets of 11. For larger n it is a lower bound.

References: Cover, IEEE Transactions on Electronic Computers 14, 1965; Dudley, Balls in R^k do not
cut all subsets of k + 2 points, Advances in Mathematics 31, 1979.
"""

import math
from collections.abc import Callable
from typing import get_args

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.textbook.learning_theory.argument_checks import check_count
from gramian.textbook.learning_theory.dichotomies import Class
from gramian.textbook.learning_theory.growth import cover_count, sauer_shelah

_FLOAT_BITS = 1024  # 2^1024 is infinite as a float
_MOST_COUNTED = 12  # number of points up to which the count of boxes is known to be the largest


def known_vc_dimension(sets: Class, d: int) -> float:
    """Return the known VC dimension of a class.

    Parameters
    ----------
    sets
        Name of the class, as in `dichotomies`.
    d
        Number of coordinates; 1 for intervals.

    Returns
    -------
    dimension
        d + 1 for halfspaces and balls, 2 d for boxes, 2 for intervals of the line, infinity for
        the power set. It is exact.

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
    if sets == "intervals" and d != 1:
        raise ParameterError(
            f'known_vc_dimension: intervals are one-dimensional; got d={d}. Use "boxes", or d=1.'
        )
    return known[sets]


def growth_function(sets: Class, d: int) -> Callable[[int], float]:
    """Return the growth function of a class, for `UniformBound` and the other bounds.

    Parameters
    ----------
    sets
        ``"halfspaces"``, ``"balls"``, ``"intervals"`` and ``"power_set"`` have their exact growth
        function; 2^n is infinity where it is too large for a float. ``"boxes"`` have it on the
        line, in the plane up to 12 points, and up to 2 d points; beyond, the upper bound of Sauer
        and Shelah.
    d
        Number of coordinates.

    Examples
    --------
    >>> growth_function("halfspaces", 2)(4), growth_function("boxes", 2)(5)
    (14, 28)
    >>> growth_function("boxes", 3)(7), 2**7   # an upper bound
    (127, 128)
    """
    dimension = known_vc_dimension(sets, d)

    def growth(n: int) -> float:
        if math.isinf(dimension):
            return 2**n if n < _FLOAT_BITS else math.inf
        exact = known_count(sets, n, d)
        return sauer_shelah(n, int(dimension)) if exact is None else exact

    return growth


def known_count(sets: Class, n: int, d: int) -> int | None:
    """Return Pi(n), the largest number of subsets of n points; None if unknown.

    Parameters
    ----------
    sets
        Name of the class, as in `dichotomies`.
    n
        Number of points.
    d
        Number of coordinates.

    Examples
    --------
    >>> [known_count("boxes", n, 2) for n in (4, 5, 6, 13)]
    [16, 28, 49, None]
    """
    n = check_count("known_count", "n", n)
    dimension = known_vc_dimension(sets, d)
    if n <= dimension:
        return int(2**n)
    if sets == "halfspaces":
        return cover_count(n, d)
    if sets == "boxes" and d > 1:
        return box_count(n) if d == 2 and n <= _MOST_COUNTED else None
    return sauer_shelah(n, int(dimension))


def box_count(n: int) -> int:
    """Return the number of subsets that boxes pick out of two decreasing runs in the plane.

    It is the largest number of n points up to n = 12, and a lower bound on it for more points.

    Parameters
    ----------
    n
        Number of points.

    Examples
    --------
    >>> [box_count(n) for n in range(1, 9)]
    [2, 4, 8, 16, 28, 49, 77, 121]
    """
    n = check_count("box_count", "n", n)
    low, high = n // 2, n - n // 2
    threes = math.comb(n, 3) - math.comb(low, 3) - math.comb(high, 3)
    return 1 + n + math.comb(n, 2) + threes + math.comb(low, 2) * math.comb(high, 2)


def extremal_points(sets: Class, n: int, d: int) -> Floats:
    """Return n points from which the class picks out the most subsets known.

    Parameters
    ----------
    sets
        Name of the class, as in `dichotomies`.
    n
        Number of points.
    d
        Number of coordinates.

    Returns
    -------
    points
        Shape (n, d). Points for halfspaces and balls are in general position; for boxes in more
        than two dimensions with n > 2 d the largest number is not known, and a search may find
        more.

    Examples
    --------
    >>> extremal_points("boxes", 4, 2)
    array([[ 1.,  0.],
           [ 0.,  1.],
           [-1.,  0.],
           [ 0., -1.]])
    """
    if sets == "boxes" and n <= 2 * d:  # points that are not chosen lie outside, on their own axes
        return np.asarray((np.r_[np.eye(d), -np.eye(d)] + 0.0)[:n])
    if sets == "boxes" and d == 2:
        low = n // 2
        heights = np.r_[np.arange(low)[::-1], np.arange(low, n)[::-1]]
        return np.asarray(np.c_[np.arange(n), heights] / n)
    if d == 1:
        return np.asarray(np.arange(n)[:, None] / n)
    return np.random.default_rng(0).normal(size=(n, d))
