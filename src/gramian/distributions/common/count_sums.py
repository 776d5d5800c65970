"""Sums over huge ranges of counts, by Gauss quadrature for sums over blocks of counts.

A sum over N consecutive counts of a polynomial of degree below 2 K equals a weighted sum over K
nodes, which are real numbers. The nodes are the eigenvalues of the Jacobi matrix of the discrete
Chebyshev polynomials, whose off-diagonal entries, with the counts scaled to (-1, 1), are

    sqrt(j^2 (1 - j^2 / N^2) / (4 j^2 - 1)),  j = 1, ..., K - 1.

References: Golub and Welsch, Calculation of Gauss quadrature rules, 1969; Nikiforov, Suslov and
Uvarov, Classical orthogonal polynomials of a discrete variable, 1991.
"""

from collections.abc import Callable

import numpy as np

from gramian.base.types import Floats

MAX_TABLE = 10_000  # counts up to which a table of all probabilities is faster
_NODES = 24
_SINGLE = 64.0  # counts at each end of the range that have a block each
_REACH = 38  # standard deviations on each side of the mean in narrow blocks
_PER_DEVIATION = 4
_PER_DOUBLING = 6


class CountSums:
    """Sums of smooth functions of the counts 0, 1, ..., most, without a table of them.

    A block is narrower than its distance from both ends of the range, and near the mean at most a
    quarter of the standard deviation. The sums are therefore accurate to nearly all digits for
    functions such as the probabilities of beta-binomial counts, which are powers of the distances
    from the ends multiplied by exponential functions.

    Parameters
    ----------
    most
        The largest count.
    mean, deviation
        Mean and standard deviation of the counts.

    Attributes
    ----------
    nodes, weights : arrays of the same shape
        The sum of f over all counts is the sum of ``weights * f(nodes)``.

    Examples
    --------
    >>> sums = CountSums(10**12, 5e11, 2e11)
    >>> round(float((sums.weights * sums.nodes).sum() / 10**24), 9)
    0.5
    """

    def __init__(self, most: float, mean: float, deviation: float) -> None:
        edges = _edges(float(most), mean, deviation)
        self._first, self._sizes = edges[:-1], np.diff(edges)
        sizes, which = np.unique(self._sizes, return_inverse=True)
        off = np.sqrt(_off_diagonals(sizes))
        jacobi = np.zeros((len(sizes), _NODES, _NODES))
        at = np.arange(_NODES)
        # fewer counts than nodes: the rest are separate, outside (-1, 1), and have weight 0
        jacobi[:, at, at] = np.where(at < sizes[:, None], 0.0, 3.0 + at)
        jacobi[:, at[1:], at[:-1]] = off  # eigh reads the lower triangle
        points, vectors = np.linalg.eigh(jacobi)
        self._vectors = vectors[which]
        size = sizes[:, None]
        points = np.clip((points * size + size - 1) / 2, 0.0, size - 1)
        points = np.where(size <= _NODES, np.rint(points), points)
        self._off = off[which]
        self.nodes: Floats = self._first[:, None] + points[which]
        self.weights: Floats = self._sizes[:, None] * self._vectors[:, 0] ** 2

    def entropy(self, log_p: Floats) -> float:
        """Return -sum p log p from the logarithms at the nodes."""
        possible = np.isfinite(log_p)
        logs = log_p[possible]
        return float(-(self.weights[possible] * np.exp(logs)) @ logs)

    def moment_generating(self, log_p: Floats, t: Floats) -> Floats:
        """Return the sums of p exp(t x), infinite if one overflows, for a vector t."""
        counted = self.weights > 0  # without the nodes added to blocks of few counts
        nodes, weights, logs = self.nodes[counted], self.weights[counted], log_p[counted]
        return np.array([float((weights * np.exp(logs + s * nodes)).sum()) for s in t])

    def cumulative(self, values: Floats) -> Callable[[Floats], Floats]:
        """Return the function of x that is the sum of a function >= 0 over the counts up to x.

        The function is expanded in the discrete Chebyshev polynomials t_j of each block, whose sums
        over the first counts 0, ..., i are -(i + 1) (N - 1 - i) (t_j(i + 1) - t_j(i)) / (j (j + 1))
        for j > 0.

        Parameters
        ----------
        values
            Values of the function at `nodes`.
        """
        expansion = np.einsum("bjk,bk->bj", self._vectors, self._vectors[:, 0] * values)
        after = (self._sizes * expansion[:, 0]).cumsum()
        before = np.append(0.0, after[:-1])

        def up_to(x: Floats) -> Floats:
            count = np.clip(np.floor(x), -1.0, self._first[-1] + self._sizes[-1] - 1)
            block = np.maximum(np.searchsorted(self._first, count, side="right") - 1, 0)
            size, i = self._sizes[block], count - self._first[block]
            u, unit = (2 * i - size + 1) / size, 2 / size
            left = -(i + 1) * (size - 1 - i)
            total = expansion[block, 0] * (i + 1)
            t, before_t = np.ones_like(u), np.zeros_like(u)
            step, before_step = np.zeros_like(u), np.zeros_like(u)  # t(i + 1) - t(i)
            for j in range(1, _NODES):
                last = self._off[block, j - 2] if j > 1 else 0.0
                new = u * t - last * before_t
                new_step = (u + unit) * step + unit * t - last * before_step
                scale = self._off[block, j - 1]
                scale = np.divide(1.0, scale, out=np.zeros_like(u), where=scale > 0)
                before_t, t = t, new * scale
                before_step, step = step, new_step * scale
                total = total + expansion[block, j] * (left * step / (j * (j + 1)))
            return np.asarray(before[block] + np.clip(total, 0.0, after[block] - before[block]))

        return up_to


def _off_diagonals(sizes: Floats) -> Floats:
    """Return the squares of the off-diagonal entries for each number of counts."""
    j = np.arange(1.0, _NODES)
    return np.asarray(np.maximum(j**2 * (1 - (j / sizes[:, None]) ** 2), 0.0) / (4 * j**2 - 1))


def _edges(most: float, mean: float, deviation: float) -> Floats:
    """Return the first count of each block, and `most` + 1."""
    end = most + 1
    doublings = int(np.ceil(np.log2(max(end / _SINGLE, 1.0))))
    powers = np.floor(_SINGLE * 2.0 ** (np.arange(doublings * _PER_DOUBLING) / _PER_DOUBLING))
    near = np.append(np.arange(_SINGLE), powers)
    steps = np.arange(-_REACH * _PER_DEVIATION, _REACH * _PER_DEVIATION + 1) / _PER_DEVIATION
    middle = np.floor(mean + steps * deviation)
    low, high = near[near < end / 2], end - near[near < end / 2]
    inside = middle[(middle > 0) & (middle < end)]
    return np.unique(np.concatenate([low, [np.floor(end / 2)], inside, high]))
