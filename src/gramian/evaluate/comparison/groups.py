"""Groups of models without a significant difference: maximal cliques of such pairs."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def maximal_groups(alike: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Return the maximal sets of models in which no pair differs.

    A model that differs from all others is a group of its own. Bron and Kerbosch, Communications
    of the ACM 16, 1973, with a pivot.

    Parameters
    ----------
    alike
        Whether two models do not differ; symmetric, shape (k, k); the diagonal is ignored.

    Returns
    -------
    groups
        Sorted, each with its members in ascending order.

    Examples
    --------
    >>> maximal_groups(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    [(0, 1), (1, 2)]
    """
    neighbours = [{int(j) for j in np.flatnonzero(row) if j != i} for i, row in enumerate(alike)]

    def grow(
        group: set[int], candidates: set[int], excluded: set[int]
    ) -> Iterator[tuple[int, ...]]:
        if not candidates and not excluded:
            yield tuple(sorted(group))
            return
        pivot = max(candidates | excluded, key=lambda i: len(neighbours[i] & candidates))
        for i in sorted(candidates - neighbours[pivot]):
            yield from grow(group | {i}, candidates & neighbours[i], excluded & neighbours[i])
            candidates = candidates - {i}
            excluded = excluded | {i}

    return sorted(grow(set(), set(range(len(alike))), set())) if len(alike) else []
