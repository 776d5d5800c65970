"""Labelled rows that come in chunks, checked and encoded on every pass."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.gate import check_chunk
from gramian.base.kinds import Estimator
from gramian.base.targets import Classes, Codes, check_labels
from gramian.base.types import Data, Floats
from gramian.base.weights import check_weights

# (X, y) or (X, y, sample_weight)
GivenChunk: TypeAlias = (
    tuple[npt.ArrayLike, npt.ArrayLike] | tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike | None]
)


@dataclass(frozen=True)
class LabelChunks:
    """A re-iterable of (X, codes, weights); the classes and their weights were counted once."""

    estimator: Estimator
    chunks: Iterable[GivenChunk]
    classes: Classes
    counts: Floats  # the weight of each class's rows
    dtype: Any

    @classmethod
    def of(
        cls,
        estimator: Estimator,
        chunks: Iterable[GivenChunk],
        classes: npt.ArrayLike | None = None,
    ) -> "LabelChunks":
        """Check every chunk, and count."""
        name = type(estimator).__name__
        if iter(chunks) is chunks:
            raise DataError(
                f"{name}: chunks must start again each time it is iterated; got "
                f"{type(chunks).__name__}, which gives one. Give a list, or an object whose "
                "__iter__ starts again."
            )
        counts: dict[Any, float] = {}
        dtype, sparse = None, None
        for chunk in chunks:
            table = check_chunk(
                estimator, chunk[0], first=dtype is None, dtype=dtype, sparse=sparse
            )
            dtype, sparse = table.dtype, sp.issparse(table)
            codes, labels = check_labels(estimator, chunk[1], table.shape[0])
            here = np.bincount(codes, weights=_weights(estimator, chunk, table.shape[0]))
            for label, count in zip(labels.tolist(), here.tolist(), strict=True):
                counts[label] = counts.get(label, 0.0) + count
        if dtype is None:
            raise DataError(f"{name}: chunks is empty; give at least one (X, y).")
        known = np.unique(np.asarray(list(counts) if classes is None else classes))
        if not set(counts) <= set(known.tolist()):
            extra = sorted(map(repr, set(counts) - set(known.tolist())))
            raise DataError(
                f"{name}: the chunks hold the labels {', '.join(extra)}, which classes does not; "
                "give all labels."
            )
        totals = np.array([counts.get(label, 0.0) for label in known.tolist()])
        return cls(estimator, chunks, known, totals, dtype)

    def __iter__(self) -> Iterator[tuple[Data, Codes, Floats]]:
        for chunk in self.chunks:
            table = check_chunk(self.estimator, chunk[0], first=False, dtype=self.dtype)
            codes, labels = check_labels(self.estimator, chunk[1], table.shape[0])
            place = np.searchsorted(self.classes, labels)
            yield table, place[codes], _weights(self.estimator, chunk, table.shape[0])


def _weights(estimator: Estimator, chunk: GivenChunk, n: int) -> Floats:
    given = check_weights(estimator, chunk[2], n) if len(chunk) > 2 else None
    return np.ones(n) if given is None else given
