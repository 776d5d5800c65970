"""SLINK and CLINK: single and complete linkage row by row, in their pointer representation."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from gramian import _native
from gramian.base.conversions import translated
from gramian.base.errors import DataError
from gramian.cluster.dissimilarities import Dissimilarities, dissimilarity_matrix


class _Pointers(ABC):
    """A tree in pointer representation, built row by row.

    Row j is the last of its cluster up to the height ``heights[j]``, where it is joined to a
    cluster whose last row is ``pointers[j]``. The last row has infinite height.
    """

    def __init__(self, X: npt.ArrayLike, metric: Any = "euclidean") -> None:
        name = type(self).__name__
        rows = translated(
            name, "X", lambda: check_array(X, dtype=np.float64, order="C", input_name="X")
        )
        D = dissimilarity_matrix(name, rows, metric)
        if not np.isfinite(D).all():
            raise DataError(
                f"{name}: distances must be finite; the squares of X overflow. Scale X down."
            )
        self.pointers = np.arange(len(D))
        self.heights = np.full(len(D), np.inf)
        for i in range(1, len(D)):
            self._add(i, D[i].copy())

    @abstractmethod
    def _add(self, i: int, M: Dissimilarities) -> None:
        """Add row i, whose dissimilarities to the rows before are M[:i]."""

    def linkage(self) -> Dissimilarities:
        """Return the tree in the format of `linkage`.

        Returns
        -------
        Z : array of shape (n - 1, 4)
            The merges.
        """
        n = len(self.pointers)
        edges = np.column_stack([np.arange(n - 1), self.pointers[:-1], self.heights[:-1]])
        Z = np.empty((n - 1, 4))
        _native.tree_of_edges(np.ascontiguousarray(edges, dtype=np.float64), Z)
        return Z


class SLINK(_Pointers):
    """Single linkage by SLINK, which adds one row at a time in O(n).

    The optimally efficient algorithm of Sibson (The Computer Journal 16, 1973), as printed, on the
    matrix of dissimilarities. `linkage` finds the same tree faster.

    Parameters
    ----------
    X : array of shape (n, d), or (n, n) with ``metric="precomputed"``
        The rows, or their dissimilarities.
    metric : str or function, default="euclidean"
        The dissimilarity of two rows.

    Attributes
    ----------
    pointers : array of shape (n,)
        Pi: the last row of the cluster that row j is joined to.
    heights : array of shape (n,)
        Lambda: the height at which row j is no longer the last of its cluster.

    Examples
    --------
    >>> from gramian.textbook.clustering import SLINK
    >>> tree = SLINK([[0.0], [5.0], [1.0]])
    >>> tree.pointers.tolist(), tree.heights.tolist()
    ([2, 2, 2], [1.0, 4.0, inf])
    """

    def _add(self, i: int, M: Dissimilarities) -> None:
        pi, lam = self.pointers, self.heights
        for j in range(i):
            if lam[j] >= M[j]:
                M[pi[j]] = min(M[pi[j]], lam[j])
                lam[j], pi[j] = M[j], i
            else:
                M[pi[j]] = min(M[pi[j]], M[j])
        for j in range(i):
            if lam[j] >= lam[pi[j]]:
                pi[j] = i


class CLINK(_Pointers):
    """Complete linkage by CLINK, which adds one row at a time in O(n).

    The algorithm of Defays (The Computer Journal 20, 1977), as printed. No cluster is wider than
    its height, but the tree depends on the order of the rows and need not be that of
    ``linkage(X, "complete")``, which joins the two nearest clusters first.

    Parameters
    ----------
    X : array of shape (n, d), or (n, n) with ``metric="precomputed"``
        The rows, or their dissimilarities.
    metric : str or function, default="euclidean"
        The dissimilarity of two rows.

    Attributes
    ----------
    pointers : array of shape (n,)
        Pi: the last row of the cluster that row j is joined to.
    heights : array of shape (n,)
        Lambda: the height at which row j is no longer the last of its cluster.

    Examples
    --------
    >>> from gramian.textbook.clustering import CLINK
    >>> CLINK([[0.0], [5.0], [1.0]]).linkage()
    array([[0., 2., 1., 2.],
           [1., 3., 5., 3.]])
    """

    def _add(self, i: int, M: Dissimilarities) -> None:
        pi, lam = self.pointers, self.heights
        for j in range(i):
            if lam[j] < M[j]:
                M[pi[j]] = max(M[pi[j]], M[j])
                M[j] = np.inf
        a = i - 1
        for j in range(i - 1, -1, -1):
            if lam[j] >= M[pi[j]]:
                if M[j] < M[a]:
                    a = j
            else:
                M[j] = np.inf
        b, c = pi[a], lam[a]
        pi[a], lam[a] = i, M[a]
        if a < i - 1:
            while b < i - 1:
                next_height, height = pi[b], lam[b]
                pi[b], lam[b] = i, c
                b, c = next_height, height
            if b == i - 1:
                pi[b], lam[b] = i, c
        for j in range(i):
            if pi[pi[j]] == i and lam[j] >= lam[pi[j]]:
                pi[j] = i
