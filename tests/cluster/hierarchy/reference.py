"""Agglomerative clustering as it is defined: every pair of clusters is measured at every step."""

import numpy as np


def medoid(D, rows):
    return rows[int(np.argmin(D[np.ix_(rows, rows)].sum(axis=0)))]


class Naive:
    """The clusters of a tree, and the dissimilarity of any two by the definition of the linkage."""

    def __init__(self, X, method):
        self.X = np.asarray(X, dtype=float)
        self.D = np.sqrt(((self.X[:, None] - self.X[None]) ** 2).sum(axis=2))
        self.method = method
        n = len(self.X)
        self.rows = {i: [i] for i in range(n)}
        self.parts = {}
        self.middle = dict(enumerate(self.X))

    def between(self, a, b):
        A, B = self.rows[a], self.rows[b]
        block = self.D[np.ix_(A, B)]
        if self.method in ("single", "complete", "average"):
            return {"single": np.min, "complete": np.max, "average": np.mean}[self.method](block)
        if self.method == "weighted":
            if a in self.parts and (b not in self.parts or a > b):
                return np.mean([self.between(part, b) for part in self.parts[a]])
            if b in self.parts:
                return np.mean([self.between(a, part) for part in self.parts[b]])
            return block[0, 0]
        if self.method == "medoid":
            return self.D[medoid(self.D, A), medoid(self.D, B)]
        if self.method == "median":
            return np.linalg.norm(self.middle[a] - self.middle[b])
        gap = np.linalg.norm(self.X[A].mean(axis=0) - self.X[B].mean(axis=0))
        if self.method == "centroid":
            return gap
        return gap * np.sqrt(2 * len(A) * len(B) / (len(A) + len(B)))

    def join(self, a, b, made):
        self.rows[made] = sorted(self.rows[a] + self.rows[b])
        self.middle[made] = (self.middle[a] + self.middle[b]) / 2
        self.parts[made] = (a, b)
        self.live = None

    def pairs(self, live):
        return {(a, b): self.between(a, b) for a in live for b in live if a < b}


def naive_linkage(X, method):
    """The O(n^3) algorithm (more for some linkages)."""
    clusters = Naive(X, method)
    n = len(clusters.X)
    live, Z = set(range(n)), []
    for made in range(n, 2 * n - 1):
        pairs = clusters.pairs(sorted(live))
        (a, b), height = min(pairs.items(), key=lambda item: item[1])
        clusters.join(a, b, made)
        live = live - {a, b} | {made}
        Z.append((a, b, height, len(clusters.rows[made])))
    return np.array(Z).reshape(-1, 4)


def excess(X, Z, method):
    """How much farther than the nearest pair each merge's pair is, and how wrong its height."""
    clusters = Naive(X, method)
    n = len(clusters.X)
    live, found = set(range(n)), [0.0]
    for i, (a, b, height, size) in enumerate(Z):
        a, b = int(a), int(b)
        pairs = clusters.pairs(sorted(live))
        assert a < b
        found += [pairs[a, b] - min(pairs.values()), abs(height - pairs[a, b])]
        clusters.join(a, b, n + i)
        assert size == len(clusters.rows[n + i])
        live = live - {a, b} | {n + i}
    assert len(live) == 1
    return max(found)
