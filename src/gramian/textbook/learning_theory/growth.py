r"""Growth functions: the number of labellings of n points that a class can produce.

    halfspaces of R^d (Cover)        Pi(n) = 2 sum_{i=0}^{d} C(n - 1, i)
                                          <= 2 (e (n - 1) / d)^d             for n >= d + 2
    VC dimension D (Sauer, Shelah)   Pi(n) <= sum_{i=0}^{D} C(n, i)
                                          <= (e n / D)^D                     for n >= D

Every set of n points in general position reaches Cover's count. References: Cover, IEEE
Transactions on Electronic Computers 14, 1965; Sauer, Journal of Combinatorial Theory A 13, 1972.
"""

import math

from gramian.textbook.learning_theory.argument_checks import check_count


def cover_count(n: int, d: int) -> int:
    """Return the number of labellings of n points in general position in R^d by hyperplanes.

    Parameters
    ----------
    n
        Number of points.
    d
        Number of coordinates; the hyperplane need not pass through the origin.

    Returns
    -------
    count
        An exact integer: 2^n up to n = d + 1, then less.

    Examples
    --------
    >>> [cover_count(n, 2) for n in range(1, 7)]
    [2, 4, 8, 14, 22, 32]
    """
    n, d = check_count("cover_count", "n", n), check_count("cover_count", "d", d)
    return 2 * _binomials(n - 1, min(d, n - 1))


def cover_bound(n: int, d: int, *, log: bool = False) -> float:
    """Return 2 (e (n - 1) / d)^d, a simple upper bound on Cover's count.

    Parameters
    ----------
    n
        Number of points. Below d + 2, where the bound does not hold, the result is 2^n.
    d
        Number of coordinates.
    log
        Whether to return the logarithm of the bound, which does not overflow.

    Examples
    --------
    >>> round(cover_bound(10, 2), 2), cover_count(10, 2)
    (299.26, 92)
    """
    n, d = check_count("cover_bound", "n", n), check_count("cover_bound", "d", d)
    simple = n * math.log(2)
    if n >= d + 2:
        simple = math.log(2) + d * (1 + math.log((n - 1) / d))
    return simple if log else _exp(simple)


def sauer_shelah(n: int, vc_dimension: int) -> int:
    """Return the largest number of labellings of n points by a class of given VC dimension.

    Parameters
    ----------
    n
        Number of points.
    vc_dimension
        VC dimension of the class, D.

    Examples
    --------
    >>> [sauer_shelah(n, 3) for n in range(1, 7)]
    [2, 4, 8, 15, 26, 42]
    """
    n = check_count("sauer_shelah", "n", n)
    vc_dimension = check_count("sauer_shelah", "vc_dimension", vc_dimension, at_least=0)
    return _binomials(n, min(vc_dimension, n))


def sauer_bound(n: int, vc_dimension: int, *, log: bool = False) -> float:
    """Return (e n / D)^D, a simple upper bound on the sum of Sauer and Shelah.

    Parameters
    ----------
    n
        Number of points. Below D, where the bound does not hold, the result is 2^n.
    vc_dimension
        VC dimension of the class, D.
    log
        Whether to return the logarithm of the bound, which does not overflow.

    Examples
    --------
    >>> round(sauer_bound(6, 3), 2), sauer_shelah(6, 3)
    (160.68, 42)
    """
    n = check_count("sauer_bound", "n", n)
    vc_dimension = check_count("sauer_bound", "vc_dimension", vc_dimension, at_least=0)
    simple = n * math.log(2)
    if vc_dimension == 0:
        simple = 0.0
    elif n >= vc_dimension:
        simple = vc_dimension * (1 + math.log(n / vc_dimension))
    return simple if log else _exp(simple)


def _binomials(n: int, most: int) -> int:
    """Return C(n, 0) + ... + C(n, most), each term computed from the previous one."""
    term = total = 1
    for i in range(most):
        term = term * (n - i) // (i + 1)
        total += term
    return total


def _exp(logarithm: float) -> float:
    """Return exp, or infinity on overflow."""
    return math.exp(logarithm) if logarithm < 709 else math.inf
