"""Inner products and norms of vectors of unknowns."""

from math import sqrt

import numpy as np

from gramian.base.types import Floats

_SHORT = 1000  # vector length up to which BLAS uses one thread


def inner(a: Floats, b: Floats) -> float:
    """Return a'b, by one thread.

    BLAS would use its own threads for long vectors and wake them for every product, which costs
    more than it gains beside another thread pool.

    Examples
    --------
    >>> inner(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    11.0
    """
    return float(a.dot(b) if len(a) <= _SHORT else np.einsum("i,i->", a, b))


def length(a: Floats) -> float:
    """Return |a|, the Euclidean norm, by one thread.

    Examples
    --------
    >>> length(np.array([3.0, 4.0]))
    5.0
    """
    return sqrt(inner(a, a))
