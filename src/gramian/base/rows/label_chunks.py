"""Labelled rows that come in chunks, checked and encoded on every pass."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.targets import Classes, Codes, check_labels
from gramian.base.kinds import Estimator
from gramian.base.rows.chunks import BLOCK_ROWS, Chunk, Chunks, GivenChunk, rows_of_chunk
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Floats

_S = TypeVar("_S")
_Counts = dict[Any, tuple[float, int]]  # weight and number of the rows of each label


@dataclass(frozen=True)
class LabelChunks:
    """A re-iterable of (X, codes, weights); the classes and their weights were counted once."""

    chunks: Chunks
    classes: Classes
    counts: Floats  # the total weight of each class
    row_counts: npt.NDArray[np.int64]  # the number of rows of each class

    @classmethod
    def of(
        cls,
        estimator: Estimator,
        chunks: Iterable[GivenChunk] | Parts,
        classes: npt.ArrayLike | None = None,
    ) -> "LabelChunks":
        """Count the rows of each class in a pass over the targets; the next pass checks X."""
        gate = Chunks.of(estimator, chunks)
        counts = gate.total(_count, _merged)
        if len({isinstance(label, str) for label in counts}) > 1:
            raise DataError(
                f"{type(estimator).__name__}: labels are text in some chunks and numbers in "
                "others; use one type."
            )
        known = np.unique(np.asarray(list(counts) if classes is None else classes))
        if not set(counts) <= set(known.tolist()):
            extra = sorted(map(repr, set(counts) - set(known.tolist())))
            raise DataError(
                f"{type(estimator).__name__}: classes must contain every label of the chunks; "
                f"it lacks {', '.join(extra)}. Add the missing labels."
            )
        found = [counts.get(label, (0.0, 0)) for label in known.tolist()]
        weights, row_counts = np.array(found).reshape(-1, 2).T
        return cls(gate, known, weights, row_counts.astype(np.int64))

    @property
    def dtype(self) -> Any:
        """The float type of X."""
        return self.chunks.dtype

    @property
    def in_memory(self) -> bool:
        """Whether all rows are arrays in memory, which chunks refer to without a copy."""
        return self.chunks.in_memory

    def total(self, step: Callable[["LabelChunks"], _S], merge: Callable[[_S, _S], _S]) -> _S:
        """Make one pass, as `Chunks.total`: the step gets the labelled chunks of each part."""
        work = partial(_over_labels, step, self.classes, self.counts, self.row_counts)
        return self.chunks.total(work, merge)

    def head(self, rows: int) -> tuple[Data, Codes, Floats]:
        """Return the first rows, at most `rows`."""
        return self._coded(*self.chunks.head(rows))

    def beginning(self, rows: int) -> "LabelChunks | None":
        """Return the first rows, as `Chunks.beginning`; classes and counts refer to all rows."""
        first = self.chunks.beginning(rows)
        return None if first is None else replace(self, chunks=first)

    def __iter__(self) -> Iterator[tuple[Data, Codes, Floats]]:
        """Make a pass; rows that are read come in blocks, so that codes and weights stay cached."""
        whole = self.in_memory
        for chunk in self.chunks:
            n = chunk.X.shape[0]
            for start in range(0, n, n if whole else BLOCK_ROWS):
                block = chunk if whole else _block(chunk, start)
                yield self._coded(*block)

    def _coded(
        self, X: Data, y: npt.ArrayLike, weights: Floats | None
    ) -> tuple[Data, Codes, Floats]:
        codes, labels = self.chunks.named(check_labels, y, X.shape[0])
        if len(labels) < len(self.classes):  # otherwise the chunk has all, in the same order
            codes = np.searchsorted(self.classes, labels)[codes]
        return X, codes, np.ones(X.shape[0]) if weights is None else weights


def _block(chunk: Chunk, start: int) -> Chunk:
    """Return at most BLOCK_ROWS rows, labels of any kind."""
    y = chunk.y if chunk.y is None or hasattr(chunk.y, "shape") else np.asarray(chunk.y)
    y = y.to_numpy() if hasattr(y, "to_numpy") else y
    return rows_of_chunk(chunk._replace(y=y), slice(start, start + BLOCK_ROWS))


def _over_labels(
    step: Callable[[LabelChunks], _S],
    classes: Classes,
    counts: Floats,
    row_counts: Any,
    gate: Chunks,
) -> _S:
    return step(LabelChunks(gate, classes, counts, row_counts))


def _count(gate: Chunks) -> _Counts:
    counts: _Counts = {}
    for y, weights, n in gate.targets():
        codes, labels = gate.named(check_labels, y, n)
        number = np.bincount(codes)
        weight = number if weights is None else np.bincount(codes, weights=weights)
        weight = weight.astype(float)
        found = zip(weight.tolist(), number.tolist(), strict=True)
        counts = _merged(counts, dict(zip(labels.tolist(), found, strict=True)))
    return counts


def _merged(left: _Counts, right: _Counts) -> _Counts:
    total = dict(left)
    for label, (weight, number) in right.items():
        before, rows = total.get(label, (0.0, 0))
        total[label] = before + weight, rows + number
    return total
