"""Neighbours in one dimension by sorting and binary search."""

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_finite
from gramian.base.types import Floats
from gramian.neighbors.structures.input_checks import check_count
from gramian.neighbors.structures.radius_results import Indices


class SortedLine:
    """Nearest neighbours in one dimension, by sorting and binary search.

    The neighbours of q are next to its position in the sorted order: find it by binary search, then
    take the nearer of the two ends, k times. Building costs O(n log n), a query O(log n + k).

    Parameters
    ----------
    x : array of shape (n,)
        The points.

    Attributes
    ----------
    order : array of shape (n,)
        The points' indices in ascending order of their values, equal ones by index.
    values : array of shape (n,)
        The values in that order.

    Examples
    --------
    >>> from gramian.textbook.neighbors import SortedLine
    >>> SortedLine([5.0, 1.0, 9.0, 2.0]).query(4.0, k=2)
    (array([1., 2.]), array([0, 3]))
    """

    def __init__(self, x: npt.ArrayLike) -> None:
        points = np.asarray(x, dtype=np.float64)
        if points.ndim != 1 or not len(points):
            raise DataError(
                f"SortedLine: x must be one-dimensional and not empty; got shape {points.shape}. "
                "Use KDTree for points of more dimensions."
            )
        check_finite("SortedLine", "x", np.ascontiguousarray(points))
        self.order = np.argsort(points, kind="stable")
        self.values = points[self.order]

    def query(self, q: float, k: int = 1) -> tuple[Floats, Indices]:
        """Find the k nearest points of a number.

        Parameters
        ----------
        q : float
            The query.
        k : int, default=1
            Number of neighbours.

        Returns
        -------
        distances, indices : arrays of shape (k,)
            Nearest first; among equally near points the lower one comes first.
        """
        k = check_count("SortedLine", k, len(self.values))
        if np.ndim(q) != 0 or not np.isfinite(q):
            raise DataError(
                f"SortedLine: q must be one finite number; got {q!r}. Pass one number per query."
            )
        right = int(np.searchsorted(self.values, q))
        left = right - 1  # values[left] < q <= values[right]
        found = []
        for _ in range(k):
            below = q - self.values[left] if left >= 0 else np.inf
            above = self.values[right] - q if right < len(self.values) else np.inf
            if below <= above:
                found.append(left)
                left -= 1
            else:
                found.append(right)
                right += 1
        return np.abs(self.values[found] - q), self.order[found]
