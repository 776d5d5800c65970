"""Labelled rows that come in chunks, checked and encoded on every pass."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.kinds import Estimator
from gramian.base.rows.chunks import Chunks, GivenChunk
from gramian.base.targets import Classes, Codes, check_labels
from gramian.base.types import Data, Floats


@dataclass(frozen=True)
class LabelChunks:
    """A re-iterable of (X, codes, weights); the classes and their weights were counted once."""

    chunks: Chunks
    classes: Classes
    counts: Floats  # the weight of each class's rows

    @classmethod
    def of(
        cls,
        estimator: Estimator,
        chunks: Iterable[GivenChunk],
        classes: npt.ArrayLike | None = None,
    ) -> "LabelChunks":
        """Validate every chunk and count the classes."""
        gate = Chunks.of(estimator, chunks)
        counts: dict[Any, float] = {}
        for X, y, weights in gate:
            codes, labels = check_labels(estimator, y, X.shape[0])
            here = np.bincount(codes, weights=weights)
            for label, count in zip(labels.tolist(), here.tolist(), strict=True):
                counts[label] = counts.get(label, 0.0) + count
        known = np.unique(np.asarray(list(counts) if classes is None else classes))
        if not set(counts) <= set(known.tolist()):
            extra = sorted(map(repr, set(counts) - set(known.tolist())))
            raise DataError(
                f"{type(estimator).__name__}: the chunks hold the labels {', '.join(extra)}, which "
                "classes does not; give all labels."
            )
        totals = np.array([counts.get(label, 0.0) for label in known.tolist()])
        return cls(gate, known, totals)

    @property
    def dtype(self) -> Any:
        """The float type of X."""
        return self.chunks.dtype

    def __iter__(self) -> Iterator[tuple[Data, Codes, Floats]]:
        for X, y, weights in self.chunks:
            codes, labels = check_labels(self.chunks.estimator, y, X.shape[0])
            place = np.searchsorted(self.classes, labels)
            yield X, place[codes], np.ones(X.shape[0]) if weights is None else weights
