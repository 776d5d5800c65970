r"""The number of random directions that preserve distances: the Johnson-Lindenstrauss lemma.

For k at least 2 ln(1 / delta) / (eps^2 / 2 - eps^3 / 3), the squared length of one vector changes
by a factor outside 1 +- eps with probability at most 2 delta. With delta < 1 / n^2 all
n (n - 1) / 2 squared distances of n points are preserved with positive probability, which is
scikit-learn's form, k >= 4 ln(n) / (eps^2 / 2 - eps^3 / 3). The number of columns has no effect.
Reference: Dasgupta and Gupta, Random Structures and Algorithms 22, 2003.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import ParameterError


def johnson_lindenstrauss_dimension(eps: float, delta: float) -> int:
    """Return the number of directions that preserve a squared length with probability 1 - 2 delta.

    Parameters
    ----------
    eps
        Maximum relative change of a squared length, in (0, 1). Lengths change by about half of it.
    delta
        Half the probability of a larger change, in (0, 1). For all pairs of n points take less
        than 1 / n^2.

    Examples
    --------
    >>> johnson_lindenstrauss_dimension(0.12, 1e-12), johnson_lindenstrauss_dimension(0.1, 1e-12)
    (8343, 11842)
    """
    _check("johnson_lindenstrauss_dimension", "eps", eps)
    _check("johnson_lindenstrauss_dimension", "delta", delta)
    return math.ceil(2 * math.log(1 / delta) / (eps**2 / 2 - eps**3 / 3))


def johnson_lindenstrauss_min_dim(n_samples: ArrayLike, *, eps: ArrayLike = 0.1) -> Any:
    """Return the number of components that preserves all pairwise distances.

    Parameters
    ----------
    n_samples
        Number of points, or an array of numbers.
    eps
        Maximum relative change of a squared distance, in (0, 1), or an array.

    Returns
    -------
    n_components
        An integer, or an array of integers.

    Examples
    --------
    >>> johnson_lindenstrauss_min_dim(1_000_000, eps=0.5)
    663
    """
    sizes, changes = np.asarray(n_samples), np.asarray(eps, dtype=np.float64)
    if not ((changes > 0) & (changes < 1)).all():
        raise ParameterError(
            f"johnson_lindenstrauss_min_dim: eps must be in (0, 1); got {eps!r}. The JL bound is "
            "not defined outside."
        )
    if not (sizes > 0).all():
        raise ParameterError(
            f"johnson_lindenstrauss_min_dim: n_samples must be above 0; got {n_samples!r}. The JL "
            "bound is not defined for fewer points."
        )
    found = (4 * np.log(sizes) / (changes**2 / 2 - changes**3 / 3)).astype(np.int64)
    return found if found.ndim else int(found)


def _check(owner: str, name: str, value: float) -> None:
    """Raise unless the value is a probability strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ParameterError(f"{owner}: {name} must be in (0, 1); got {value!r}.")
