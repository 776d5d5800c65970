"""The condensed tree of HDBSCAN, and the clusters selected from it."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.cluster.dissimilarities import Dissimilarities

Ints = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class CondensedTree(NamedTuple):
    """Each entry: `child` leaves cluster `parent` at the density `lam` = 1 / height.

    Children below `n` are rows; clusters are numbered from n, the root.
    """

    n: int
    parent: Ints
    child: Ints
    lam: Floats
    size: Ints

    @classmethod
    def of(cls, Z: Dissimilarities, min_cluster_size: int) -> "CondensedTree":
        """Condense a tree of clusters: small parts leave a cluster without splitting it.

        A cluster splits into all parts of one height at once, two or more.
        """
        n = len(Z) + 1
        ints = [np.empty(3 * n, np.int32) for _ in range(3)]
        lam = np.empty(3 * n)
        count = _native.condense_tree(Z, min_cluster_size, (ints[0], ints[1], lam, ints[2]))
        parent, child, size = (array[:count] for array in ints)
        return cls(n, parent, child, lam[:count], size)

    @property
    def n_clusters(self) -> int:
        """Return the number of clusters, including the root."""
        return 1 + int((self.child >= self.n).sum())

    def parts(self) -> tuple[Ints, Ints, Floats, Ints]:
        """Return the entries that are clusters, with clusters numbered from 0, the root."""
        own = self.child >= self.n
        return (
            self.parent[own] - self.n,
            self.child[own] - self.n,
            self.lam[own],
            self.size[own],
        )

    def stabilities(self) -> Floats:
        """Return the stability of each cluster: the sum of size (lambda - birth)."""
        k = self.n_clusters
        births = np.zeros(k)
        _, child, lam, _ = self.parts()
        births[child] = lam
        born = births[self.parent - self.n]
        with np.errstate(invalid="ignore"):
            lasting = np.where(self.lam == born, 0.0, self.lam - born)  # both may be infinite
        total = np.bincount(self.parent - self.n, lasting * self.size, minlength=k)
        return total.astype(np.float64, copy=False)

    def last_densities(self) -> Floats:
        """Return the density at which the last rows leave each cluster."""
        last = np.zeros(self.n_clusters)
        np.maximum.at(last, self.parent - self.n, self.lam)
        return last


def select_clusters(
    tree: CondensedTree,
    method: str,
    allow_single: bool,
    epsilon: float,
    max_size: int | None,
) -> list[int]:
    """Select a flat clustering; return the numbers of its clusters, where 0 is the root."""
    parent, child, lam, size = tree.parts()
    k = tree.n_clusters
    children: list[list[int]] = [[] for _ in range(k)]
    up = np.zeros(k, np.int64)
    sizes = np.full(k, tree.n)
    born = np.full(k, np.inf)
    for p, c, density, s in zip(
        parent.tolist(), child.tolist(), lam.tolist(), size.tolist(), strict=True
    ):
        children[p].append(c)
        up[c], sizes[c], born[c] = p, s, 1 / density if density > 0 else np.inf
    if method == "leaf":
        leaves = [c for c in range(1, k) if not children[c]]
        return _merge_near(leaves, children, up, born, epsilon, allow_single) if epsilon else leaves

    value = tree.stabilities()
    most = tree.n + 1 if max_size is None else max_size
    chosen_rows = [True] * k
    chosen_rows[0] = allow_single
    for c in range(k - 1, -1 if allow_single else 0, -1):
        below = sum(value[part] for part in children[c])
        if below > value[c] or sizes[c] > most:
            chosen_rows[c], value[c] = False, below
        else:
            for part in _below(children, c):
                chosen_rows[part] = False
    chosen = [c for c in range(k) if chosen_rows[c]]
    if not epsilon or k == 1:
        return chosen
    if chosen == [0]:
        return chosen if allow_single else []
    return _merge_near(chosen, children, up, born, epsilon, allow_single)


def _below(children: list[list[int]], cluster: int) -> list[int]:
    found: list[int] = []
    queue = list(children[cluster])
    while queue:
        found.append(queue.pop())
        queue += children[found[-1]]
    return found


def _merge_near(
    chosen: list[int],
    children: list[list[int]],
    up: npt.NDArray[np.int64],
    born: Floats,
    epsilon: float,
    allow_single: bool,
) -> list[int]:
    """Replace clusters born below the height epsilon with their lowest ancestor born above it."""
    merge_passes: set[int] = set()
    passed: set[int] = set()
    for cluster in chosen:
        if born[cluster] >= epsilon:
            merge_passes.add(cluster)
        elif cluster not in passed:
            top = cluster
            while True:
                over = int(up[top])
                if over == 0:
                    top = 0 if allow_single else top
                    break
                top = over
                if born[over] >= epsilon:
                    break
            merge_passes.add(top)
            passed.update(_below(children, top))
    return sorted(merge_passes)


def label_rows(
    tree: CondensedTree, chosen: list[int], allow_single: bool, epsilon: float
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the cluster of each row, -1 for noise, and the strength of its membership."""
    owner = np.full(tree.n_clusters, -1)  # the chosen cluster around each cluster
    owner[chosen] = np.arange(len(chosen))
    parent, child, _, _ = tree.parts()
    for p, c in zip(parent.tolist(), child.tolist(), strict=True):  # parents come first
        if owner[c] < 0:
            owner[c] = owner[p]
    rows = tree.child < tree.n
    row, cluster, lam = tree.child[rows], tree.parent[rows] - tree.n, tree.lam[rows]
    label = owner[cluster]
    if chosen == [0] and allow_single:
        # The root contains all rows: those that are not dense are noise.
        density = 1 / epsilon if epsilon else tree.lam[tree.parent == tree.n].max(initial=0.0)
        label = np.where(lam < density, -1, label)
    last = np.array([tree.last_densities()[c] for c in chosen] or [0.0])[label]
    with np.errstate(invalid="ignore", divide="ignore"):
        strength = np.where((last == 0) | np.isinf(lam), 1.0, np.minimum(lam, last) / last)
    labels = np.full(tree.n, -1, np.int64)
    probabilities = np.zeros(tree.n)
    labels[row] = label
    probabilities[row] = np.where(label >= 0, strength, 0.0)
    return labels, probabilities
