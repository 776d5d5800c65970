"""HDBSCAN* straight from its definition: slow, for a few rows, with no spanning tree.

Campello, Moulavi, Zimek and Sander, ACM TKDD 10(1), 2015, section 3: the rows within a mutual
reachability distance of h of each other, in steps, are the clusters of level h. As h falls, a
cluster breaks into all its parts of that level at once; parts with fewer than `min_cluster_size`
rows are noise, one large part is the same cluster, several large parts are new clusters. Malzer and
Baum, MFI 2020, for the least height of a split, `epsilon`.
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Cluster:
    """The rows of a cluster when it appears, and the density 1 / h at which each leaves it."""

    rows: list[int]
    birth: float  # density
    left: dict[int, float] = field(default_factory=dict)
    children: list["Cluster"] = field(default_factory=list)
    parent: "Cluster | None" = None

    @property
    def stability(self) -> float:
        return sum(lam - self.birth if lam > self.birth else 0.0 for lam in self.left.values())

    @property
    def born(self) -> float:
        """The height at which it appears."""
        return 1 / self.birth if self.birth > 0 else np.inf

    def below(self) -> list["Cluster"]:
        return [c for child in self.children for c in (child, *child.below())]


def mutual_reachability(D, min_samples, alpha=1.0):
    core = np.sort(D, axis=1)[:, min_samples - 1]
    return np.maximum(np.maximum(core[:, None], core[None, :]), D / alpha)


def parts_below(M, rows, height):
    """Return the parts of the rows that steps shorter than the height connect."""
    left, parts = set(rows), []
    while left:
        part, queue = set(), [min(left)]
        while queue:
            row = queue.pop()
            if row in part:
                continue
            part.add(row)
            queue += [other for other in left - part if M[row, other] < height]
        parts.append(sorted(part))
        left -= part
    return parts


def connecting_height(M, rows):
    """Return the least height at which steps no longer than it connect the rows."""
    heights = np.unique(M[np.ix_(rows, rows)][np.triu_indices(len(rows), 1)])
    low, high = 0, len(heights) - 1
    while low < high:  # rows stay connected as the height grows
        middle = (low + high) // 2
        if len(parts_below(M, rows, np.nextafter(heights[middle], np.inf))) == 1:
            high = middle
        else:
            low = middle + 1
    return float(heights[low])


def condensed_tree(M, min_cluster_size):
    def grow(cluster):
        rows = cluster.rows
        while True:
            height = connecting_height(M, rows) if len(rows) > 1 else 0.0
            lam = 1 / height if height > 0 else np.inf
            parts = parts_below(M, rows, height)
            large = [part for part in parts if len(part) >= min_cluster_size]
            stays = large[0] if len(large) == 1 else []
            cluster.left.update({row: lam for row in rows if row not in stays})
            if not stays:
                break
            rows = stays
        for part in large:
            child = Cluster(part, lam, parent=cluster)
            cluster.children.append(child)
            grow(child)
        return cluster

    return grow(Cluster(list(range(len(M))), 0.0))


def most_stable(cluster, allowed):
    """Return the clusters of the largest total stability, and that total."""
    chosen, total = [], 0.0
    for child in cluster.children:
        below, value = most_stable(child, allowed)
        chosen, total = chosen + below, total + value
    if allowed(cluster) and not total > cluster.stability:
        return [cluster], cluster.stability
    return chosen, total


def select(root, method, epsilon, allow_single, max_size):
    def allowed(cluster):
        if cluster is root and not allow_single:
            return False
        return max_size is None or len(cluster.rows) <= max_size

    if method == "leaf":
        chosen = [c for c in root.below() if not c.children]
    else:
        chosen, _ = most_stable(root, allowed)
    if epsilon == 0 or any(c is root for c in chosen):
        return chosen
    merge_passes = []
    for cluster in chosen:
        top = cluster
        while top.born < epsilon and top.parent is not None:
            if top.parent is root and not allow_single:
                break
            top = top.parent
        if not any(top is other for other in merge_passes):
            merge_passes.append(top)
    return merge_passes


def hdbscan(
    D,
    *,
    min_cluster_size=5,
    min_samples=None,
    alpha=1.0,
    method="eom",
    epsilon=0.0,
    allow_single=False,
    max_size=None,
):
    """Return the label of each row, -1 for noise, and the strength of its membership."""
    M = mutual_reachability(D, min_cluster_size if min_samples is None else min_samples, alpha)
    root = condensed_tree(M, min_cluster_size)
    labels, strengths = np.full(len(D), -1), np.zeros(len(D))
    last_cluster = {row: c for c in (root, *root.below()) for row in c.left}  # the deepest one
    for number, cluster in enumerate(select(root, method, epsilon, allow_single, max_size)):
        last = max(cluster.left.values())
        for row in cluster.rows:
            lam = last_cluster[row].left[row]
            if cluster is root and lam < (1 / epsilon if epsilon else last):
                continue  # a cluster of all rows has no others, so rows that leave early are noise
            labels[row] = number
            strengths[row] = 1.0 if np.isinf(lam) else min(lam, last) / last
    return labels, strengths
