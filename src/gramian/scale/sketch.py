r"""Quantiles and histograms of columns, by counts that merge exactly.

The bits of a float, read as an integer with the sign bit flipped, sort as the values do. The sketch
counts the numbers with the same first 16 bits: sign, exponent and leading digits. Counts are
integers that add up, so the sketch is the same for any chunks and workers. A quantile is in the
cell where the cumulative count reaches its rank; numbers of a cell differ by less than

    1 part in 2^7 = 128 for float32,    1 part in 2^4 = 16 for float64,

and each further pass counts 16 more bits, only in cells that contain a quantile: two passes find
quantiles of float32 exactly, four those of float64.
"""

from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.rows.parts import add, largest
from gramian.base.types import Floats, Matrix
from gramian.scale.fitting import chunks_of, current_client
from gramian.scale.table_chunks import TableChunks

Keys: TypeAlias = npt.NDArray[np.uint64]  # the first bits of numbers, as integers

_BITS = 16
_CELLS = 1 << _BITS


def quantiles(
    X: Any, q: npt.ArrayLike, *, passes: int | None = None, client: Any = None
) -> npt.NDArray[Any]:
    """Return quantiles of the columns of a table larger than memory, or on a cluster.

    The q-quantile of n numbers is the one of rank ceil(q n), counted from 1, in ascending order
    (NumPy's "inverted_cdf"). NaN are ignored.

    Parameters
    ----------
    X
        A Dask array or frame, or the result of `chunks`; weights are ignored.
    q
        Probabilities between 0 and 1.
    passes
        Number of passes. None makes as many as exact quantiles need, two for float32 and four for
        float64. Fewer passes return the lower end of the quantile's cell, whose relative error is
        below 2^-7 (float32) or 2^-4 (float64) after one pass, and 2^-20 (float64) after two.
    client
        As for `fit`.

    Returns
    -------
    values : array of shape (len(q), d)

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import scale
    >>> pieces = scale.chunks(np.arange(101.0)[:, None], rows=30)
    >>> scale.quantiles(pieces, [0.25, 0.5]).tolist()
    [[25.0], [50.0]]
    """
    levels = np.atleast_1d(np.asarray(q, dtype=float))
    if not ((levels >= 0) & (levels <= 1)).all():
        raise ParameterError(f"scale.quantiles: q must lie between 0 and 1; got {q!r}.")
    chunks = chunks_of(X, None, None, current_client() if client is None else client)
    dtype = _dtype(chunks)
    width = dtype.itemsize * 8
    most = width // _BITS
    rounds = most if passes is None else passes
    if not 1 <= rounds <= most:
        raise ParameterError(f"scale.quantiles: passes must be from 1 to {most}; got {passes!r}.")
    found: Keys | None = None  # the first bits of each quantile, (len(q), d)
    ranks = np.empty(0, dtype=np.int64)  # its rank within the cell of these bits
    for number in range(rounds):
        shift = width - _BITS * (number + 1)
        cells = None if found is None else [np.unique(column) for column in found.T]
        counts = _total(chunks, partial(_counts, dtype, shift, cells))
        if found is None:
            n = np.array([part[0].sum() for part in counts])
            if (n == 0).any():
                raise DataError(
                    f"scale.quantiles: column {int(n.argmin())} contains only NaN; drop it."
                )
            ranks = np.maximum(np.ceil(levels[:, None] * n - 1e-9).astype(np.int64), 1)
        found, ranks = _next(found, ranks, cells, counts)
    assert found is not None, "there is at least one pass"
    return _values(found << (width - _BITS * rounds), dtype)


def histogram(
    X: Any, bins: int = 64, *, client: Any = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Count the numbers of each column in bins of equal width; two passes.

    Parameters
    ----------
    X
        A Dask array or frame, or the result of `chunks`; NaN are not counted.
    bins
        Number of bins.
    client
        As for `fit`.

    Returns
    -------
    counts : array of int of shape (d, bins)
        They are identical for any chunks and workers.
    edges : array of shape (d, bins + 1)

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import scale
    >>> scale.histogram(scale.chunks(np.arange(8.0)[:, None], rows=3), 2)[0].tolist()
    [[4, 4]]
    """
    if bins < 1:
        raise ParameterError(f"scale.histogram: bins must be at least 1; got {bins!r}.")
    chunks = chunks_of(X, None, None, current_client() if client is None else client)
    ends = _total(chunks, _ends, largest)
    if not np.isfinite(ends).all():
        raise DataError("scale.histogram: a column has infinite values or only NaN; drop it.")
    low, high = -ends[0], ends[1]
    edges = np.linspace(low, high, bins + 1, axis=1)
    return _total(chunks, partial(_binned, edges)), edges


def _dtype(chunks: Any) -> np.dtype[Any]:
    first = chunks.read(0) if isinstance(chunks, TableChunks) else chunks.head(1)
    found = np.asarray(first[0]).dtype
    return np.dtype(np.float32) if found == np.float32 else np.dtype(np.float64)


def _total(chunks: Any, step: Any, merge: Any = None) -> Any:
    merge = _added if merge is None else merge
    if not isinstance(chunks, TableChunks):
        return chunks.total(partial(_on_part, step), merge)
    found = None
    for X, _, _ in chunks:
        here = step(np.asarray(X))
        found = here if found is None else merge(found, here)
    return found


def _on_part(step: Any, chunks: list[Any], part: int, start: int) -> Any:
    del part, start
    ((X, _, _),) = chunks
    return step(np.asarray(X))


def _added(left: Any, right: Any) -> Any:
    if isinstance(left, list):
        return [_added(a, b) for a, b in zip(left, right, strict=True)]
    return add(left, right)


def _keys(values: Matrix, dtype: np.dtype[Any]) -> Matrix:
    """Return integers in the order of the values."""
    kind = _kind(dtype)
    zero = dtype.type(0)
    bits = (np.ascontiguousarray(values, dtype=dtype) + zero).view(kind)  # turns -0 into 0
    sign = kind(1) << kind(dtype.itemsize * 8 - 1)
    return np.asarray(np.where(bits & sign, ~bits, bits | sign))


def _values(keys: Matrix, dtype: np.dtype[Any]) -> Matrix:
    kind = _kind(dtype)
    keys = keys.astype(kind)
    sign = kind(1) << kind(dtype.itemsize * 8 - 1)
    return np.where(keys & sign, keys & ~sign, ~keys).astype(kind).view(dtype)


def _counts(
    dtype: np.dtype[Any], shift: int, cells: list[Keys] | None, X: Matrix
) -> list[npt.NDArray[np.intp]]:
    """Return the counts of the next 16 bits within each cell, for each column."""
    found = []
    for j in range(X.shape[1]):
        column = X[:, j]
        keys = _keys(column[~np.isnan(column)], dtype) >> np.asarray(shift, dtype=_kind(dtype))
        digit = (keys & np.asarray(_CELLS - 1, dtype=keys.dtype)).astype(np.int64)
        if cells is None:
            found.append(np.bincount(digit, minlength=_CELLS)[None])
            continue
        before = (keys >> np.asarray(_BITS, dtype=keys.dtype)).astype(np.uint64)
        place = np.searchsorted(cells[j], before)
        place = np.minimum(place, len(cells[j]) - 1)
        here = cells[j][place] == before
        flat = place[here] * _CELLS + digit[here]
        found.append(np.bincount(flat, minlength=len(cells[j]) * _CELLS).reshape(-1, _CELLS))
    return found


def _kind(dtype: np.dtype[Any]) -> type[np.uint32 | np.uint64]:
    return np.uint32 if dtype.itemsize == 4 else np.uint64


def _next(
    found: Keys | None,
    ranks: npt.NDArray[np.int64],
    cells: list[Keys] | None,
    counts: list[npt.NDArray[np.intp]],
) -> tuple[Keys, npt.NDArray[np.int64]]:
    """Return 16 more bits of each quantile, and its rank within the new cell."""
    bits = np.zeros(ranks.shape, dtype=np.uint64)
    rest = np.zeros(ranks.shape, dtype=np.int64)
    for i, j in np.ndindex(*ranks.shape):
        row, before = 0, 0
        if found is not None and cells is not None:
            before = int(found[i, j])
            row = int(np.searchsorted(cells[j], found[i, j]))
        running = np.cumsum(counts[j][row])
        digit = int(np.searchsorted(running, ranks[i, j]))
        rest[i, j] = ranks[i, j] - (running[digit - 1] if digit else 0)
        bits[i, j] = (before << _BITS) + digit
    return bits, rest


def _ends(X: Matrix) -> Floats:
    if not len(X):
        return np.full((2, X.shape[1]), -np.inf)
    lows = np.fmin.reduce(X, axis=0)
    highs = np.fmax.reduce(X, axis=0)
    return np.array([-lows, highs], dtype=np.float64)


def _binned(edges: Floats, X: Matrix) -> npt.NDArray[np.int64]:
    d, bins = edges.shape[0], edges.shape[1] - 1
    counts = np.zeros((d, bins), dtype=np.int64)
    for j in range(d):
        column = np.asarray(X[:, j], dtype=np.float64)
        place = np.searchsorted(edges[j], column[~np.isnan(column)], side="right") - 1
        counts[j] = np.bincount(np.clip(place, 0, bins - 1), minlength=bins)
    return counts
