"""Data that come in chunks, for fits beyond memory.

A chunk is a table X, or a tuple ``(X, y)`` or ``(X, y, sample_weight)``. Chunks are anything that
can be iterated more than once: a list, a Dask bag's partitions, an object whose ``__iter__``
reads a file again. What is summed over them is summed over blocks of a fixed size, so that the
answer does not depend on where the chunks were cut.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.gate import check_chunk
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Table, Weights
from gramian.base.weights import check_weights

BLOCK_ROWS = 1 << 16

# (X, y) or (X, y, sample_weight)
GivenChunk: TypeAlias = (
    tuple[Table, npt.ArrayLike] | tuple[Table, npt.ArrayLike, npt.ArrayLike | None]
)


class Chunk(NamedTuple):
    """Some rows with their targets and weights, where there are any."""

    X: Data
    y: Any
    weights: Weights | None


@dataclass(frozen=True)
class Chunks:
    """The gate for chunks: every pass checks X and the weights again; y is as it was given.

    The first chunk fixes the columns, the float type and whether the rows are sparse.
    """

    estimator: Estimator
    given: Iterable[Any]
    n_features: int
    dtype: Any
    sparse: bool

    @classmethod
    def of(cls, estimator: Estimator, chunks: Iterable[Any]) -> "Chunks":
        """Check the parameters and the first chunk."""
        name = type(estimator).__name__
        if iter(chunks) is chunks:
            raise DataError(
                f"{name}: chunks must give a new pass each time it is iterated; got "
                f"{type(chunks).__name__}, which can be read only once. Give a list, or an object "
                "whose __iter__ starts anew."
            )
        first = next(iter(chunks), None)
        if first is None:
            raise DataError(f"{name}: chunks is empty; give at least one with at least one row.")
        table = check_chunk(estimator, _parts(first)[0], first=True)
        return cls(estimator, chunks, table.shape[1], table.dtype, sp.issparse(table))

    def __iter__(self) -> Iterator[Chunk]:
        """Make a pass."""
        name = type(self.estimator).__name__
        for chunk in self.given:
            table, y, weights = _parts(chunk)
            X = check_chunk(
                self.estimator, table, first=False, dtype=self.dtype, sparse=self.sparse
            )
            n = X.shape[0]
            if y is not None and np.ndim(y) > 0 and len(y) != n:
                raise DataError(
                    f"{name}: y has {len(y)} rows but X has {n} rows in a chunk (inconsistent "
                    "numbers of samples); give one target per row."
                )
            yield Chunk(X, y, check_weights(self.estimator, weights, n))

    def blocks(self) -> Iterator[Chunk]:
        """Make a pass over the rows, regrouped into blocks of BLOCK_ROWS rows."""
        waiting: list[Chunk] = []
        rows = 0
        for chunk in self:
            waiting.append(chunk)
            rows += chunk.X.shape[0]
            while rows >= BLOCK_ROWS:
                block, waiting = _take(waiting, BLOCK_ROWS)
                rows -= BLOCK_ROWS
                yield block
        if rows:
            yield _take(waiting, rows)[0]


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
