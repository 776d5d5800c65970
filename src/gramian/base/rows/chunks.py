"""Data in chunks, for fits of data larger than memory.

A chunk is a table X, or a tuple ``(X, y)`` or ``(X, y, sample_weight)``. Chunks are anything that
can be iterated more than once: a list, `gramian.scale.chunks` of a file, an object whose
``__iter__`` reads a file again. Sums are computed over blocks of a fixed size, so that the result
does not depend on where the chunks were cut. Chunks on several workers are `Parts`;
`Chunks.total` makes one pass over either.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_chunk
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator
from gramian.base.rows.parts import LocalObject, Parts, WorkerObjects
from gramian.base.types import Data, Table, Weights

BLOCK_ROWS = 1 << 16
_FIRST_ROWS = 64  # read from remote parts to find the columns and a point near the data
S = TypeVar("S")

# (X, y) or (X, y, sample_weight)
GivenChunk: TypeAlias = (
    tuple[Table, npt.ArrayLike] | tuple[Table, npt.ArrayLike, npt.ArrayLike | None]
)


class Chunk(NamedTuple):
    """Rows with their targets and weights, if any."""

    X: Data
    y: Any
    weights: Weights | None


@dataclass(frozen=True)
class Chunks:
    """Checked chunks: every pass validates X and the weights; y is passed on unchanged.

    The first chunk with rows determines the columns, the float type and whether rows are sparse;
    chunks without rows are skipped. `part` and `start` are the number of a part and of its first
    row. Chunks are the same in every pass, so only the first pass checks for infinity and NaN:
    `seen` contains the numbers of the chunks or parts already checked. Without `values` no pass
    checks for them.
    """

    estimator: Estimator
    source: Iterable[Any] | Parts
    n_features: int
    dtype: Any
    sparse: bool
    part: int = 0
    start: int = 0
    seen: set[int] = field(default_factory=set, compare=False, repr=False)
    values: bool = True
    check_y: Callable[[Estimator, Any, int], Any] | None = None  # None: y is not checked
    at: list[int] = field(
        default_factory=lambda: [0], compare=False, repr=False
    )  # the latest chunk's number

    @classmethod
    def of(cls, estimator: Estimator, chunks: Iterable[Any] | Parts) -> "Chunks":
        """Check the parameters and the first chunk."""
        name = type(estimator).__name__
        if isinstance(chunks, Parts):
            table = check_chunk(estimator, _parts(chunks.head(_FIRST_ROWS))[0], first=True)
            d, sparse = table.shape[1], sp.issparse(table)
            return cls(_without_fitted_arrays(estimator), chunks, d, table.dtype, sparse)
        _check_kind(name, chunks)
        if iter(chunks) is chunks:
            raise DataError(
                f"{name}: chunks must give a new pass each time it is iterated; got "
                f"{type(chunks).__name__}, which can be read only once. Pass a list, or an object "
                "whose __iter__ starts again."
            )
        no_rows = object()
        tables = (c for c in _first_chunks(chunks, _FIRST_ROWS) if not _is_empty(_parts(c)[0]))
        if (first := next(tables, no_rows)) is no_rows:
            raise DataError(f"{name}: chunks must contain at least one row; got none.")
        _check_table(name, _parts(first)[0])
        table = check_chunk(estimator, _parts(first)[0], first=True, values=False)
        return cls(estimator, chunks, table.shape[1], table.dtype, sp.issparse(table))

    @property
    def distributed(self) -> bool:
        """Whether the rows are spread over workers or files; only `total` reads all of them."""
        return isinstance(self.source, Parts)

    @property
    def in_memory(self) -> bool:
        """Whether all rows are arrays in memory, which chunks refer to without a copy."""
        source = self.source
        return isinstance(source, list | tuple) and all(
            type(X) is np.ndarray and X.dtype == self.dtype and X.flags.c_contiguous
            for X, _, _ in map(_parts, source)
        )

    def total(
        self,
        step: Callable[["Chunks"], S],
        merge: Callable[[S, S], S],
        *,
        numbered: bool = False,
    ) -> S:
        """Make one pass: the step's results over all parts, merged in the order of the rows.

        Chunks in this process are one part. A step that uses `start` requires `numbered`.
        """
        if not isinstance(self.source, Parts):
            return step(self)
        work = partial(_seen_part, self._sent(), step)
        both = partial(_merge_seen, merge)
        found: tuple[S, set[int]] = self.source.total(work, both, numbered=numbered)
        self.seen.update(found[1])
        return found[0]

    def fold(self, step: Callable[["Chunks", S], S], state: S) -> S:
        """Make one pass that hands a state from part to part, for methods that visit rows."""
        if not isinstance(self.source, Parts):
            return step(self, state)
        return self.source.fold(partial(_on_part, self._sent(), step), state)

    def keep_on_workers(
        self, step: Callable[["Chunks"], Any], gather: Callable[[list[Any]], Any]
    ) -> WorkerObjects:
        """Keep the step's results on their workers; `gather` combines those of one worker."""
        if not isinstance(self.source, Parts):
            return LocalObject(gather([step(self)]))
        return self.source.keep_on_workers(partial(_over_part, self._sent(), step), gather)

    def _sent(self) -> "Chunks":
        """Return a copy to send to each part, without chunks."""
        assert isinstance(self.source, Parts)
        values = self.values and len(self.seen) < self.source.n_parts
        return replace(self, source=(), seen=set(), values=values)

    def local(self, rows: int = _FIRST_ROWS) -> "Chunks":
        """Return chunks of this process; for parts, the first rows of the first non-empty one."""
        source = self.source
        return self.over([source.head(rows)]) if isinstance(source, Parts) else self

    def _from_first(self, rows: int) -> "Chunks":
        """Return chunks that begin with the first rows, or only those rows if they can be read."""
        local = self.local(rows)
        first = _first_chunks(local.source, rows)
        return local if first is local.source else replace(local, source=first, seen=set())

    def first(self) -> Chunk:
        """Return the first chunk with rows, or its first rows if they can be read separately."""
        return next(iter(self._from_first(_FIRST_ROWS)))

    def head(self, rows: int) -> Chunk:
        """Return the first rows, at most `rows`, of the first part only."""
        first_chunks: list[Chunk] = []
        held = 0
        for chunk in self._from_first(rows):
            first_chunks.append(rows_of_chunk(chunk, slice(rows - held)))
            held += first_chunks[-1].X.shape[0]
            if held >= rows:
                break
        return joined(first_chunks)

    def __iter__(self) -> Iterator[Chunk]:
        """Make a pass over the chunks of this process."""
        if isinstance(self.source, Parts):
            raise DataError(
                f"{type(self.estimator).__name__}: these settings need all rows on one machine, "
                "but the chunks are on several; see the table in the guide 'When your data grow', "
                "or fit in memory."
            )
        for number, chunk in enumerate(self.source, start=self.part):
            table, y, weights = _parts(chunk)
            self.at[0] = number
            if not _is_empty(table):
                yield self._checked(number, table, y, weights)

    def targets(self) -> Iterator[tuple[Any, Weights | None, int]]:
        """Yield y, the weights and the number of rows of each non-empty chunk of this process.

        X is not read if the targets can be read without it, as from columns of a file.
        """
        alone = getattr(self.source, "targets", None)
        if alone is None:
            yield from ((y, weights, X.shape[0]) for X, y, weights in self)
            return
        for number, (y, weights) in enumerate(alone(), start=self.part):
            self.at[0] = number
            n = 0 if y is None else len(y)
            if n or y is None:
                yield y, self.named(check_weights, weights, n), n

    def over(self, chunks: list[Any]) -> "Chunks":
        """Return the same for other chunks in this process."""
        return replace(self, source=chunks, seen=set(), part=0, start=0, at=[0])

    def beginning(self, rows: int) -> "Chunks | None":
        """Return the first rows as chunks, or the first parts; None if sizes are unknown."""
        if not isinstance(self.source, Parts):
            return replace(self, source=_Beginning(self.source, rows), seen=set())
        first = self.source.first(rows)
        return None if first is None else replace(self, source=first, seen=set())

    def named(self, check: Callable[..., S], *arguments: Any, **more: Any) -> S:
        """Run a check of the latest chunk and return its result; an error names the chunk."""
        try:
            return check(self.estimator, *arguments, **more)
        except DataError as error:
            raise DataError(f"{error} This is chunk {self.at[0]}, counted from 0.") from None

    def _checked(self, number: int, table: Any, y: Any, weights: Any) -> Chunk:
        name = type(self.estimator).__name__
        try:
            _check_table(name, table)
            unseen = self.values and number not in self.seen
            X = check_chunk(
                self.estimator,
                table,
                first=False,
                dtype=self.dtype,
                sparse=self.sparse,
                values=unseen,
            )
            if unseen:
                self.seen.add(number)
            n = X.shape[0]
            if y is not None and np.ndim(y) > 0 and len(y) != n:
                raise DataError(
                    f"{name}: y has {len(y)} rows but X has {n} rows in a chunk (inconsistent "
                    "numbers of samples); pass one target per row."
                )
            if self.check_y is not None:
                y = self.check_y(self.estimator, y, n)
            return Chunk(X, y, check_weights(self.estimator, weights, n))
        except DataError as error:
            raise DataError(f"{error} This is chunk {number}, counted from 0.") from None

    def blocks(self, size: int | None = None) -> Iterator[Chunk]:
        """Make a pass over blocks of rows that end at multiples of `size`, default BLOCK_ROWS."""
        size = BLOCK_ROWS if size is None else size
        waiting: list[Chunk] = []
        rows = 0
        wanted = size - self.start % size
        for chunk in self:
            waiting.append(chunk)
            rows += chunk.X.shape[0]
            while rows >= wanted:
                block, waiting = _take(waiting, wanted)
                rows, wanted = rows - wanted, size
                yield block
        if rows:
            yield _take(waiting, rows)[0]


def _first_chunks(source: Any, rows: int) -> Any:
    """Return the first rows as one chunk if they can be read separately, otherwise all chunks."""
    alone = getattr(source, "first_rows", None)
    return source if alone is None else [alone(rows)]


class _Beginning:
    """The first rows of chunks."""

    def __init__(self, source: Iterable[Any], rows: int) -> None:
        self.source, self.rows = source, rows

    def __iter__(self) -> Iterator[Any]:
        left = self.rows
        for chunk in self.source:
            X, y, weights = _parts(chunk)
            n = len(X) if not hasattr(X, "shape") else X.shape[0]
            if n > left:
                cut = [None if part is None else part[:left] for part in (X, y, weights)]
                X, y, weights = cut
            yield X, y, weights
            left -= n
            if left <= 0:
                return


def _seen_part(
    gate: Chunks, step: Callable[[Chunks], S], chunks: list[Any], part: int, start: int
) -> tuple[S, set[int]]:
    """Run a step over the chunks of one part; also return the numbers of the checked chunks."""
    here = replace(gate, source=chunks, part=part, start=start, at=[part], seen=set())
    return step(here), here.seen


def _merge_seen(
    merge: Callable[[S, S], S], left: tuple[S, set[int]], right: tuple[S, set[int]]
) -> tuple[S, set[int]]:
    return merge(left[0], right[0]), left[1] | right[1]


def _over_part(
    gate: Chunks, step: Callable[[Chunks], S], chunks: list[Any], part: int, start: int
) -> S:
    """Run a step over the chunks of one part."""
    return _seen_part(gate, step, chunks, part, start)[0]


def _on_part(
    gate: Chunks,
    step: Callable[[Chunks, S], S],
    chunks: list[Any],
    part: int,
    start: int,
    state: S,
) -> S:
    """Run a step with a state over the chunks of one part."""
    return step(replace(gate, source=chunks, part=part, start=start, at=[part]), state)


def _check_kind(name: str, chunks: Any) -> None:
    """Raise unless chunks may be several tables: not one table, its targets beside it, or a path.

    Of a tuple ``(X, y)`` the second entry has one dimension, which no chunk has.
    """
    what = "pass a list of (X, y), or what gramian.scale.chunks returns for a table or a path"
    if isinstance(chunks, str | bytes | dict) or not hasattr(chunks, "__iter__"):
        raise DataError(f"{name}: chunks must be tables; got {type(chunks).__name__}; {what}.")
    pair = isinstance(chunks, tuple) and len(chunks) in (2, 3) and np.ndim(chunks[0]) == 2
    table = len(getattr(chunks, "shape", ())) == 2
    if table or (pair and np.ndim(chunks[1]) == 1):
        one = "one table" if table else "one (X, y)"
        raise DataError(f"{name}: chunks must be several tables; got {one}; {what}.")


def _check_table(name: str, table: Any) -> None:
    """Raise unless the X of a chunk can be a table."""
    if table is None or isinstance(table, str | bytes | dict | set):
        raise DataError(
            f"{name}: a chunk must be a table X, or (X, y); got {type(table).__name__}. Give "
            "arrays or frames."
        )


def _without_fitted_arrays(estimator: Estimator) -> Estimator:
    """Return a copy without fitted arrays: only parameters and what was recorded about X."""
    bare = type(estimator)(**estimator.get_params(deep=False))
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(bare, name, getattr(estimator, name))
    return bare


def _is_empty(table: Any) -> bool:
    """Return whether a table with columns has no rows."""
    shape = getattr(table, "shape", None)
    return shape is not None and len(shape) == 2 and shape[0] == 0


def _parts(chunk: Any) -> tuple[Any, Any, Any]:
    if not isinstance(chunk, tuple):
        return chunk, None, None
    return (*chunk, None, None)[:3]


def _take(waiting: list[Chunk], rows: int) -> tuple[Chunk, list[Chunk]]:
    """Take the first rows off the waiting chunks."""
    first_chunks: list[Chunk] = []
    rest = list(waiting)
    while rows:
        chunk = rest.pop(0)
        n = chunk.X.shape[0]
        if n > rows:
            rest.insert(0, rows_of_chunk(chunk, slice(rows, None)))
            chunk = rows_of_chunk(chunk, slice(rows))
        first_chunks.append(chunk)
        rows -= chunk.X.shape[0]
    return joined(first_chunks), rest


def rows_of_chunk(chunk: Chunk, part: Any) -> Chunk:
    """Return some rows of a chunk."""
    X, y, weights = chunk
    return Chunk(
        X[part], None if y is None else y[part], None if weights is None else weights[part]
    )


def joined(chunks: list[Chunk]) -> Chunk:
    """Stack chunks; if only some have weights, the rows of the others get weight 1."""
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
