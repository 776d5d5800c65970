"""k-means||: an initialisation of k-means in a fixed number of passes, for any number of clusters.

Each round draws 2 k more candidates at once, with probabilities proportional to the squared
distances from the earlier ones; after five rounds, the candidates, weighted by the rows nearest to
them, are reduced to k centres by k-means++ (Bahmani et al. 2012). The draws are the 2 k smallest
of E_i / (w_i D_i^2), E_i an exponential random number of row i: a sample without replacement
(Efraimidis and Spirakis 2006) that needs one pass per round instead of two, and can be merged.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.randomness import stream
from gramian.base.rows.chunks import BLOCK_ROWS, Chunks
from gramian.base.rows.parts import add
from gramian.cluster.initialization import plusplus_rows
from gramian.cluster.rows import Centers, dense_rows, rows_of

PARALLEL = "k-means||"
_ROUNDS = 5


class _Drawn(NamedTuple):
    keys: npt.NDArray[np.float64]
    rows: Centers


def parallel_centers(chunks: Chunks, k: int, seed: int) -> Centers:
    """Choose k centres in seven passes."""
    centers = _draw(chunks, None, 1, seed, 0)
    for number in range(1, _ROUNDS + 1):
        more = _draw(chunks, centers, 2 * k, seed, number)
        if not len(more):  # every row equals a candidate
            break
        centers = np.concatenate([centers, more])
    weights = chunks.total(partial(_nearest_weights, centers), add)
    if len(centers) <= k:  # fewer distinct rows than clusters
        again = stream(seed).integers(len(centers), size=k - len(centers))
        return np.concatenate([centers, centers[again]])
    return np.ascontiguousarray(centers[plusplus_rows(centers, weights, k, seed)])


def _draw(chunks: Chunks, centers: Centers | None, count: int, seed: int, number: int) -> Centers:
    step = partial(_drawn, centers, count, seed, number)
    found: _Drawn = chunks.total(step, partial(_smallest, count=count), numbered=True)
    return found.rows


def _drawn(centers: Centers | None, count: int, seed: int, number: int, chunks: Chunks) -> _Drawn:
    d = chunks.n_features
    found = _Drawn(np.empty(0), np.empty((0, d)))
    at = chunks.start
    for X, _, weights in chunks.blocks():
        n = X.shape[0]
        block, offset = divmod(at, BLOCK_ROWS)
        draws = stream(seed, (number + 1 << 40) + block).random(offset + n)[offset:]
        at += n
        chance = np.ones(n) if weights is None else weights.astype(np.float64)
        if centers is not None:
            squares = np.empty(n)
            _native.kmeans_assign(rows_of(X), centers, None, np.empty(n, np.int32), squares)
            chance = chance * squares
        some = np.flatnonzero(chance > 0)
        keys = -np.log1p(-draws[some]) / chance[some]
        few = np.sort(np.argsort(keys, kind="stable")[:count])
        part = _Drawn(keys[few], dense_rows(X, some[few]).astype(np.float64))
        found = _smallest(found, part, count=count)
    return found


def _smallest(left: _Drawn, right: _Drawn, *, count: int) -> _Drawn:
    keys = np.concatenate([left.keys, right.keys])
    best = np.sort(np.argsort(keys, kind="stable")[:count])
    return _Drawn(keys[best], np.concatenate([left.rows, right.rows])[best])


def _nearest_weights(centers: Centers, chunks: Chunks) -> npt.NDArray[np.float64]:
    totals = np.zeros(len(centers))
    for X, _, weights in chunks.blocks():
        labels = np.empty(X.shape[0], dtype=np.int32)
        _native.kmeans_assign(rows_of(X), centers, None, labels)
        totals += np.bincount(labels, weights, len(centers))
    return totals
