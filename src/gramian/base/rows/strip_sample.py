"""A sample of short strips of consecutive rows, read without a pass if rows are in random order.

A table in random row order can be sampled in a few places: one strip of rows at a random position
in each of S equal parts. The strips themselves show whether the order is random. For means m_s of w
rows each, and the mean m of all,

    F = sum_s w (m_s - m)^2 / (S - 1)  /  sum_s sum_i (x_i - m_s)^2 / (S w - S)

is near 1 for every column and every squared column, and large if similar rows are adjacent (the
analysis of variance; for S = 16, F > 4 happens once in a few million columns). The strips depend
only on the number of rows, not on how they are cut into chunks.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.randomness import stream
from gramian.base.rows.chunks import Chunks, joined
from gramian.base.types import Floats, Matrix

_STRIPS = 16
_LIMIT = 4.0
_LEAST = 64  # tables with fewer rows than this times the sample size are read in a pass

RowRange = tuple[int, int, int]  # number of a chunk or part, first row, last row + 1


def sample_strips(gate: Chunks, rows: int, seed: int) -> tuple[Matrix, int] | None:
    """Return a sample of at least `rows` rows, and the total number; None if a pass is needed.

    A pass is needed if chunk sizes are unknown, if rows are sparse, weighted, not in random order,
    or if there are few of them.
    """
    sizes = _sizes(gate.source)
    if sizes is None or gate.sparse or sum(sizes) < _LEAST * rows:
        return None
    n, length = sum(sizes), -(-rows // _STRIPS)
    part, places = n / _STRIPS, stream(seed).random(_STRIPS)
    begins = [int(s * part + place * (part - length)) for s, place in enumerate(places)]
    wanted = [(begin, begin + length) for begin in begins]
    strips_read = _read_ranges(gate.source, locate_ranges(sizes, wanted))
    try:
        found = list(gate.over(strips_read))
    except DataError:  # the full pass reports the chunk
        return None
    if any(chunk.weights is not None for chunk in found):
        return None
    X = joined([chunk._replace(y=None) for chunk in found]).X
    numbers = np.repeat(np.arange(_STRIPS), length)
    return (X, n) if looks_shuffled(X.astype(np.float64), numbers) else None


def looks_shuffled(X: Floats, strip: npt.NDArray[np.intp]) -> bool:
    """Return whether columns and their squares vary as much within strips as between them."""
    centred = X - X.mean(axis=0)
    return all(_ratio_is_small(values, strip) for values in (centred, centred**2))


def _ratio_is_small(X: Floats, strip: npt.NDArray[np.intp]) -> bool:
    X = X - X.mean(axis=0)
    S, n = int(strip.max()) + 1, np.bincount(strip)
    means = np.zeros((S, X.shape[1]))
    np.add.at(means, strip, X)
    means /= n[:, None]
    between = (n[:, None] * means**2).sum(axis=0) / (S - 1)
    within = ((X - means[strip]) ** 2).sum(axis=0) / (len(X) - S)
    return bool((between <= _LIMIT * within + 1e-300).all())


def locate_ranges(sizes: Iterable[int], wanted: list[tuple[int, int]]) -> list[RowRange]:
    """Return the chunks and positions of ranges of rows, in row order.

    Examples
    --------
    >>> locate_ranges([5, 0, 5], [(3, 7), (8, 9)])
    [(0, 3, 5), (2, 0, 2), (2, 3, 4)]
    """
    found: list[RowRange] = []
    ends = np.cumsum([0, *sizes])
    for begin, end in wanted:
        for part in range(int(np.searchsorted(ends, begin, side="right")) - 1, len(ends) - 1):
            low, high = max(begin, int(ends[part])), min(end, int(ends[part + 1]))
            if low >= end:
                break
            if low < high:
                found.append((part, low - int(ends[part]), high - int(ends[part])))
    return found


def _sizes(chunks: Any) -> list[int] | None:
    """Return the number of rows of each chunk or part; None if unknown."""
    if not isinstance(chunks, list | tuple):
        known: list[int] | None = getattr(chunks, "known_sizes", None)
        return known
    tables = [chunk[0] if isinstance(chunk, tuple) else chunk for chunk in chunks]
    if not all(isinstance(table, np.ndarray) and table.ndim == 2 for table in tables):
        return None
    return [len(table) for table in tables]


def _read_ranges(chunks: Any, places: list[RowRange]) -> list[Any]:
    if not isinstance(chunks, list | tuple):
        found: list[Any] = chunks.take(places)
        return found
    return [_rows(chunks[part], slice(begin, end)) for part, begin, end in places]


def _rows(chunk: Any, rows: slice) -> Any:
    if not isinstance(chunk, tuple):
        return chunk[rows]
    return tuple(None if values is None else values[rows] for values in chunk)
