"""Groups of models that cannot be told apart: maximal cliques of pairs that no test separates."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def maximal_groups(alike: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Return every largest set of models in which each pair is alike.

    A model that differs from all others is a group of its own. Bron and Kerbosch, Communications
    of the ACM 16, 1973, with a pivot.

    Parameters
    ----------
    alike
        Symmetric, shape (k, k); the diagonal is not looked at.

    Returns
    -------
    groups
        Sorted, each with its members in rising order.

    Examples
    --------
    >>> maximal_groups(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    [(0, 1), (1, 2)]
    """
    friends = [{int(j) for j in np.flatnonzero(row) if j != i} for i, row in enumerate(alike)]

    def grow(group: set[int], others: set[int], done: set[int]) -> Iterator[tuple[int, ...]]:
        if not others and not done:
            yield tuple(sorted(group))
            return
        pivot = max(others | done, key=lambda i: len(friends[i] & others))
        for i in sorted(others - friends[pivot]):
            yield from grow(group | {i}, others & friends[i], done & friends[i])
            others = others - {i}
            done = done | {i}

    return sorted(grow(set(), set(range(len(alike))), set())) if len(alike) else []
