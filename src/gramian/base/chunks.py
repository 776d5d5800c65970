"""Data that come in chunks, for fits beyond memory.

A chunk is a table X, or a tuple ``(X, y)`` or ``(X, y, sample_weight)``. Chunks are anything that
can be iterated more than once: a list, a Dask bag's partitions, an object whose ``__iter__``
reads a file again. Rows are regrouped into blocks of a fixed size before they are used, so that
the answer does not depend on where the chunks were cut.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.gate import check_chunk
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Weights
from gramian.base.weights import check_weights

BLOCK_ROWS = 1 << 16


class Chunk(NamedTuple):
    """Some rows with their targets and weights, where there are any."""

    X: Data
    y: Any
    weights: Weights | None


def read_blocks(
    estimator: Estimator, chunks: Iterable[Any], *, first: bool, dtype: Any = None
) -> Iterator[Chunk]:
    """Check the chunks one by one and yield them regrouped into blocks of BLOCK_ROWS rows.

    Parameters
    ----------
    estimator
        Whose columns they are; its first chunk of the first pass fixes them.
    chunks
        Tables, or tuples of table, targets and weights.
    first
        Whether this is the first pass over the chunks.
    dtype
        Float type of the blocks; that of the first chunk where it is None.
    """
    name = type(estimator).__name__
    if iter(chunks) is chunks:
        raise DataError(
            f"{name}: chunks can be read only once, and the fit needs several passes; "
            "give a list, or an object whose __iter__ starts afresh."
        )
    waiting: list[Chunk] = []
    rows = 0
    sparse: bool | None = None
    for given in chunks:
        X, y, weights = _parts(given)
        X = check_chunk(estimator, X, first=first, dtype=dtype, sparse=sparse)
        dtype, sparse, first = X.dtype, sp.issparse(X), False
        if y is not None and len(y) != X.shape[0]:
            raise DataError(
                f"{name}: y of a chunk has {len(y)} rows but its X has {X.shape[0]}; "
                "give one target per row."
            )
        n = X.shape[0]
        waiting.append(Chunk(X, y, check_weights(estimator, weights, n)))
        rows += n
        while rows >= BLOCK_ROWS:
            block, waiting = _take(waiting, BLOCK_ROWS)
            rows -= BLOCK_ROWS
            yield block
    if rows:
        yield _take(waiting, rows)[0]
    elif first:
        raise DataError(f"{name}: there are no chunks; give at least one with at least one row.")


def _parts(given: Any) -> tuple[Any, Any, Any]:
    if not isinstance(given, tuple):
        return given, None, None
    X, y, weights = (*given, None, None)[:3]
    return X, y, weights


def _take(waiting: list[Chunk], rows: int) -> tuple[Chunk, list[Chunk]]:
    """Take the first rows off the waiting chunks."""
    taken: list[Chunk] = []
    rest = list(waiting)
    while rows:
        chunk = rest.pop(0)
        n = chunk.X.shape[0]
        if n > rows:
            rest.insert(0, rows_of_chunk(chunk, slice(rows, None)))
            chunk = rows_of_chunk(chunk, slice(rows))
        taken.append(chunk)
        rows -= chunk.X.shape[0]
    return joined(taken), rest


def rows_of_chunk(chunk: Chunk, part: Any) -> Chunk:
    """Return some rows of a chunk."""
    X, y, weights = chunk
    return Chunk(
        X[part], None if y is None else y[part], None if weights is None else weights[part]
    )


def joined(chunks: list[Chunk]) -> Chunk:
    """Put chunks one below the other; rows without weights get weight 1 beside rows with."""
    if len(chunks) == 1:
        return chunks[0]
    X = [c.X for c in chunks]
    y = None if chunks[0].y is None else np.concatenate([np.asarray(c.y) for c in chunks])
    weights = None
    if any(c.weights is not None for c in chunks):
        ones = [np.ones(c.X.shape[0]) if c.weights is None else c.weights for c in chunks]
        weights = np.concatenate(ones)
    whole = sp.csr_array(sp.vstack(X)) if sp.issparse(X[0]) else np.concatenate(X)
    return Chunk(whole, y, weights)
