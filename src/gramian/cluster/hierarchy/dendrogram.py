"""The tree of an agglomerative clustering: cuts, cophenetic distances, order and formats."""

from collections.abc import Sequence
from html import escape
from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError

Ints = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Dendrogram:
    """The tree of clusters that `linkage` returns.

    Leaves are the n rows; node n + i is merge i. A merge that is lower than one of its parts is an
    inversion, possible with centroid, median and medoid linkage.

    Parameters
    ----------
    Z : array of shape (n - 1, 4)
        The tree, in the format of `linkage` and SciPy.
    names : sequence of n strings, optional
        Names of the rows; their indices by default.

    Attributes
    ----------
    n_leaves : int
        The number of rows, n.
    heights : array of shape (n - 1,)
        The heights of the merges.
    inversions : array of int
        The merges that are lower than one of their parts.
    names : list of str
        The names of the rows.

    Examples
    --------
    >>> from gramian.cluster import Dendrogram, linkage
    >>> tree = Dendrogram(linkage([[0.0], [1.0], [5.0], [7.0]], "average"), names="abcd")
    >>> tree.cut(n_clusters=2)
    array([0, 0, 1, 1], dtype=int32)
    >>> tree.cut(height=1.5)
    array([0, 0, 1, 2], dtype=int32)
    >>> tree.newick()
    '((a:1,b:1):4.5,(c:2,d:2):3.5);'
    """

    def __init__(self, Z: npt.ArrayLike, names: Sequence[str] | None = None) -> None:
        self.Z = _checked(Z)
        self.n_leaves = len(self.Z) + 1
        self.heights = self.Z[:, 2]
        self._children = self.Z[:, :2].astype(np.int64)
        self.names = [str(i) for i in range(self.n_leaves)] if names is None else [*map(str, names)]
        if len(self.names) != self.n_leaves:
            raise ParameterError(
                f"Dendrogram: names must contain {self.n_leaves} names, one per row; got "
                f"{len(self.names)}."
            )
        below = np.concatenate([np.full(self.n_leaves, -np.inf), self.heights])
        self.inversions = np.flatnonzero(self.heights < below[self._children].max(axis=1))

    def cut(
        self, *, height: float | None = None, n_clusters: int | None = None
    ) -> npt.NDArray[np.int32]:
        """Cut the tree at a height, or into a number of clusters.

        Parameters
        ----------
        height : float, optional
            Maximum height of the merges within a cluster.
        n_clusters : int, optional
            Number of clusters: undo the last merges.

        Returns
        -------
        labels : array of shape (n,)
            The cluster of each row; clusters are numbered in the order of their first rows.
        """
        if (height is None) == (n_clusters is None):
            raise ParameterError("Dendrogram.cut: pass exactly one of height and n_clusters.")
        if n_clusters is not None:
            if not isinstance(n_clusters, Integral) or not 1 <= n_clusters <= self.n_leaves:
                raise ParameterError(
                    f"Dendrogram.cut: n_clusters must be an integer from 1 to {self.n_leaves}, the "
                    f"number of rows; got {n_clusters!r}."
                )
            joined = np.arange(self.n_leaves - 1) < self.n_leaves - n_clusters
        else:
            assert height is not None
            _check_number("Dendrogram.cut: height", height)
            joined = self._highest() <= height
        return self._labels(joined)

    def _pairs(self) -> list[tuple[int, int]]:
        """Return the two nodes that each merge joins."""
        return [(a, b) for a, b in self._children.tolist()]

    def _highest(self) -> Floats:
        """Return the greatest height within each merge."""
        if not len(self.inversions):
            return self.heights
        n = self.n_leaves
        highest = np.concatenate([np.full(n, -np.inf), self.heights])
        for i, (a, b) in enumerate(self._pairs()):
            highest[n + i] = max(highest[n + i], highest[a], highest[b])
        return highest[n:]

    def _labels(self, joined: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        """Return the clusters after a subset of the merges that is closed downwards."""
        n = self.n_leaves
        pairs, top = self._pairs(), list(range(2 * n - 1))
        for i in range(n - 2, -1, -1):
            if joined[i]:
                a, b = pairs[i]
                top[a] = top[b] = top[n + i]
        _, first, codes = np.unique(top[:n], return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int32)
        rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
        return rank[codes]

    def leaf_order(self) -> Ints:
        """Return the order of the rows from left to right in which no branches cross.

        Returns
        -------
        order : array of shape (n,)
            The rows.
        """
        n = self.n_leaves
        pairs, starts = self._pairs(), np.zeros(2 * n - 1, np.int64)
        sizes = np.concatenate([np.ones(n, np.int64), self.Z[:, 3].astype(np.int64)])
        for i in range(n - 2, -1, -1):
            a, b = pairs[i]
            starts[a] = starts[n + i]
            starts[b] = starts[n + i] + sizes[a]
        order = np.empty(n, np.int64)
        order[starts[:n]] = np.arange(n)
        return order

    def cophenetic(self) -> Floats:
        """Return the height at which each pair of rows is joined.

        Returns
        -------
        distances : array of shape (n (n - 1) / 2,)
            In the order of ``scipy.spatial.distance.pdist``.
        """
        n = self.n_leaves
        order = self.leaf_order()
        place = np.empty(2 * n - 1, np.int64)  # where a node's leaves begin
        place[order] = np.arange(n)
        sizes = np.concatenate([np.ones(n, np.int64), self.Z[:, 3].astype(np.int64)])
        D = np.zeros((n, n))
        for i, (a, b) in enumerate(self._pairs()):
            left, right, place[n + i] = place[a], place[b], min(place[a], place[b])
            one, other = slice(left, left + sizes[a]), slice(right, right + sizes[b])
            D[one, other] = D[other, one] = self.heights[i]
        back = place[:n]
        rows, columns = np.triu_indices(n, 1)
        return D[back[rows], back[columns]]

    def branches(self) -> tuple[Floats, Floats]:
        """Return the corner points of the lines that draw the tree.

        Returns
        -------
        across : array of shape (n - 1, 4)
            x of each merge's corners: up from its left part, across, down to its right part. Leaf
            i of `leaf_order` is at x = i.
        up : array of shape (n - 1, 4)
            The heights of these corners.
        """
        n = self.n_leaves
        middle, level = np.empty(2 * n - 1), np.zeros(2 * n - 1)
        middle[self.leaf_order()] = np.arange(n)
        level[n:] = self.heights
        across, up = np.empty((n - 1, 4)), np.empty((n - 1, 4))
        for i, (a, b) in enumerate(self._pairs()):
            across[i] = middle[a], middle[a], middle[b], middle[b]
            up[i] = level[a], level[n + i], level[n + i], level[b]
            middle[n + i] = (middle[a] + middle[b]) / 2
        return across, up

    def newick(self) -> str:
        """Return the tree in the Newick format, with the lengths of its branches.

        The length of a branch is the difference of its heights; below an inversion it is negative.

        Returns
        -------
        text : str
            Text such as ``((a:1,b:1):4,c:5);``.
        """
        n = self.n_leaves
        level = np.concatenate([np.zeros(n), self.heights])
        texts = [_quoted(name) for name in self.names]
        for i, (a, b) in enumerate(self._pairs()):
            parts = [f"{texts[c]}:{_short(self.heights[i] - level[c])}" for c in (a, b)]
            texts[a] = texts[b] = ""
            texts.append(f"({','.join(parts)})")
        return f"{texts[-1]};"

    def svg(self, *, width: int = 640, height: int = 320, cut: float | None = None) -> str:
        """Return the tree as an SVG picture.

        Parameters
        ----------
        width : int, default=640
            Width in pixels.
        height : int, default=320
            Height in pixels.
        cut : float, optional
            Height of a dashed line.

        Returns
        -------
        text : str
            An ``<svg>`` element.
        """
        if cut is not None:
            _check_number("Dendrogram.svg: cut", cut)
        n = self.n_leaves
        across, up = self.branches()
        tallest = float(max(self.heights.max(initial=0.0), cut or 0.0)) or 1.0
        foot = height - 40  # room for the names
        x = 12 + across * (width - 24) / max(n - 1, 1)
        y = 8 + (1 - up / tallest) * (foot - 8)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        size = f'width="{width}" height="{height}" font-family="sans-serif" font-size="10">'
        lines = [head + size]
        inverted = set(self.inversions.tolist())
        for i in range(n - 1):
            corners = " ".join(f"{a:.2f},{b:.2f}" for a, b in zip(x[i], y[i], strict=True))
            ink = "#b2182b" if i in inverted else "#333333"
            lines.append(f'<polyline points="{corners}" fill="none" stroke="{ink}"/>')
        if cut is not None:
            level = 8 + (1 - cut / tallest) * (foot - 8)
            lines.append(
                f'<line x1="0" x2="{width}" y1="{level:.2f}" y2="{level:.2f}" stroke="#2166ac" '
                'stroke-dasharray="4 3"/>'
            )
        if n <= 60:
            for place, row in enumerate(self.leaf_order().tolist()):
                at = 12 + place * (width - 24) / max(n - 1, 1)
                lines.append(
                    f'<text x="{at:.2f}" y="{foot + 14}" text-anchor="middle">'
                    f"{escape(self.names[row])}</text>"
                )
        return "\n".join([*lines, "</svg>"])


def _checked(Z: npt.ArrayLike) -> Floats:
    """Return a tree as float64; raise unless every cluster is joined once, after its creation."""
    try:
        tree = np.array(Z, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"Dendrogram: Z must contain numbers; {error}.") from None
    wrong = "Dendrogram: Z must be a tree in SciPy's format, as gramian.cluster.linkage returns it"
    if tree.ndim != 2 or tree.shape[1] != 4:
        raise DataError(f"{wrong}: shape (n - 1, 4); got shape {tree.shape}.")
    n = len(tree) + 1
    ids = tree[:, :2]
    if not np.isfinite(tree).all() or (ids != np.round(ids)).any():
        raise DataError(
            f"{wrong}: all entries must be finite, and those of the first two columns integers."
        )
    made = n + np.arange(n - 1)[:, None]
    if len(tree) and ((ids < 0) | (ids >= made)).any():
        raise DataError(f"{wrong}: row i must join two of the clusters 0 to n + i - 1.")
    if len(np.unique(ids)) != ids.size:
        raise DataError(f"{wrong}: no cluster may be joined twice.")
    sizes = np.concatenate([np.ones(n), tree[:, 3]])
    if (sizes[ids.astype(np.int64)].sum(axis=1) != tree[:, 3]).any():
        raise DataError(f"{wrong}: the last column must contain the sizes of the clusters.")
    return tree


def _check_number(name: str, value: object) -> None:
    if not isinstance(value, Real) or np.isnan(float(value)):
        raise ParameterError(f"{name} must be a number; got {value!r}.")


def _quoted(name: str) -> str:
    """Return a name in Newick format, quoted if it contains special characters."""
    if any(c in " ()[]{}:;,'\"" for c in name):
        return "'" + name.replace("'", "''") + "'"
    return name


def _short(x: float) -> str:
    return f"{x:.10g}"
