"""Chunks of a table larger than memory, for `fit_chunks` and for Dask."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from gramian import _native
from gramian.base.errors import DataError, ParameterError, need
from gramian.base.randomness import stream
from gramian.scale.dask_collections import is_dask
from gramian.scale.encoding import Encoder, Encoding, categories_in, column_kinds
from gramian.scale.read_ahead import read_ahead
from gramian.scale.sources import Source, source_of

_TYPED_ROWS = 64  # rows read to find column types, for files that store the types


@dataclass(frozen=True)
class TableChunks:
    """Chunks that can be read repeatedly, in order or one by one; returned by `chunks`.

    Attributes
    ----------
    source
        The source of the rows.
    encoder
        Converts frames to arrays; None for arrays.
    target, weights
        Targets and weights as arrays, or the number of the target column of an array.
    progress
        Whether to show the progress of each pass.
    drawn
        Set by `split`: the seed, the held-out fraction, and whether these are the held-out rows.
    first
        Set by `only`: the number of the one part.
    """

    source: Source
    encoder: Encoder | None
    target: Any = None
    weights: Any = None
    progress: bool = False
    drawn: tuple[int, float, bool] | None = None
    first: int = 0

    def only(self, part: int) -> "TableChunks":
        """Return chunks with only this part, under the same number.

        They are sent to a worker, so the message does not grow with the number of parts.

        Parameters
        ----------
        part
            Number of the part.

        Returns
        -------
        TableChunks
        """
        arrays = [
            values if values is None or isinstance(values, int) else self._slice(values, part, None)
            for values in (self.target, self.weights)
        ]
        return replace(
            self, source=self.source.only(part), target=arrays[0], weights=arrays[1], first=part
        )

    def split(self, fraction: float, seed: int = 0) -> tuple["TableChunks", "TableChunks"]:
        """Split the rows at random into training and held-out rows.

        Parameters
        ----------
        fraction
            Fraction of the rows to hold out.
        seed
            Seed of the random choice.

        Returns
        -------
        train, held_out : TableChunks
        """
        if not 0 < fraction < 1:
            raise ParameterError(f"TableChunks.split: fraction must be in (0, 1); got {fraction}.")
        drawn = [(seed, float(fraction), held) for held in (False, True)]
        return replace(self, drawn=drawn[0]), replace(self, drawn=drawn[1])

    @property
    def n_parts(self) -> int:
        """The number of chunks."""
        return self.source.n_parts

    @property
    def has_target(self) -> bool:
        """Whether the chunks have targets."""
        named = self.encoder is not None and self.encoder.target is not None
        return named or self.target is not None

    @property
    def feature_names(self) -> list[str] | None:
        """The names of the columns of X; None for an array."""
        return None if self.encoder is None else self.encoder.feature_names

    @property
    def sizes(self) -> list[int] | None:
        """The number of rows of each chunk; None if it is unknown without reading them."""
        if self.drawn is not None:
            return None
        if (known := getattr(self.source, "sizes", None)) is not None:
            return list(known)
        length, rows = (getattr(self.source, name, None) for name in ("length", "rows"))
        if length is None or rows is None:
            return None
        return [min(rows, length - at) for at in range(0, length, rows)]

    known_sizes = sizes  # the name in `DaskParts`

    def read(self, part: int) -> tuple[Any, Any, Any]:
        """Return X, y and the weights of one chunk."""
        found = self._arrays(part, self._found(part, self._columns))
        X, y, weights = self._left(part, found)
        return X, y, weights

    def read_target(self, part: int) -> tuple[Any, Any]:
        """Return y and the weights of one chunk; only these columns of a file are read."""
        columns = None if self.encoder is None else self.encoder.target_columns()
        y = weights = None
        if columns != []:
            found = self._found(part, columns)
            if self.encoder is not None:
                y, weights = self.encoder.targets(found, self._where(part))
            elif isinstance(self.target, int):
                y = np.asarray(found[:, self.target])
        if not isinstance(self.target, int):
            y = self._slice(self.target, part, y)
        y, weights = self._left(part, (y, self._slice(self.weights, part, weights)))
        return y, weights

    def targets(self) -> Iterator[tuple[Any, Any]]:
        """Make a pass over y and the weights."""
        return (self.read_target(part) for part in range(self.n_parts))

    def first_rows(self, rows: int) -> tuple[Any, Any, Any]:
        """Return at most `rows` first rows; no more is read if the file format allows."""
        chunks_read: list[tuple[Any, Any, Any]] = []
        held = 0
        for part in range(self.n_parts):
            found = self.head(part, rows - held)
            held += len(found[0])
            chunks_read.append(found)
            if held >= rows:
                break
        full = [found for found in chunks_read if len(found[0])] or chunks_read[:1]
        X, y, weights = (
            None if values[0] is None else np.concatenate(values)[:rows]
            for values in zip(*full, strict=True)
        )
        return X, y, weights

    def head(self, part: int, rows: int) -> tuple[Any, Any, Any]:
        """Return at most `rows` first rows of one chunk."""
        return self._rows_of(part, 0, rows)

    def _rows_of(self, part: int, begin: int, end: int) -> tuple[Any, Any, Any]:
        head = getattr(self.source, "head", None)
        if head is not None and self.drawn is None:
            found = self._named(part, partial(head, part, self._columns, end))
            return self._arrays(part, found[begin:])
        X, y, weights = (
            None if values is None else values[begin:end] for values in self.read(part)
        )
        return X, y, weights

    def take(self, places: list[tuple[int, int, int]]) -> list[tuple[Any, Any, Any]]:
        """Return ranges of rows, each given as (chunk, first row, last row + 1)."""
        return [self._rows_of(*place) for place in places]

    @property
    def _columns(self) -> list[str] | None:
        return None if self.encoder is None else self.encoder.read_columns()

    def _where(self, part: int) -> str:
        return f"{self.source.name_of(part)} (chunk {part})"

    def _found(self, part: int, columns: list[str] | None) -> Any:
        return self._named(part, partial(self.source.read, part, columns))

    def _named(self, part: int, read: Callable[[], Any]) -> Any:
        """Call `read`; an error names the chunk."""
        try:
            return read()
        except (OSError, ValueError) as error:
            where = self.source.name_of(part)
            raise DataError(f"scale.chunks: {where} cannot be read: {error}") from error

    def _left(self, part: int, found: tuple[Any, ...]) -> Any:
        """Return the rows of a part that belong to this side of a split."""
        known = next((values for values in found if values is not None), None)
        if self.drawn is None or known is None:
            return found
        seed, fraction, held = self.drawn
        rows = (stream(seed, part).random(len(known)) < fraction) == held
        return tuple(None if values is None else values[rows] for values in found)

    def _arrays(self, part: int, found: Any) -> tuple[Any, Any, Any]:
        if self.encoder is not None:
            X, y, weights = self.encoder(found, self._where(part))
            return X, self._slice(self.target, part, y), self._slice(self.weights, part, weights)
        if isinstance(self.target, int):
            y = np.asarray(found[:, self.target])
            return np.delete(found, self.target, axis=1), y, self._slice(self.weights, part, None)
        return found, self._slice(self.target, part, None), self._slice(self.weights, part, None)

    def _slice(self, values: Any, part: int, otherwise: Any) -> Any:
        if values is None:
            return otherwise
        rows: int = self.source.rows  # type: ignore[attr-defined]
        start = (part - self.first) * rows
        return values[start : start + rows]

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        """Make a pass."""
        parts: Any = range(self.n_parts)
        if self.progress:
            track = need("rich.progress", extra="app").track
            parts = track(parts, description="one pass")
        ahead = self.n_parts > 1 and self.source.on_disk and _native.num_threads() > 1
        return read_ahead(self.read, parts) if ahead else map(self.read, parts)

    def __len__(self) -> int:
        return self.n_parts


def chunks(
    data: Any,
    target: Any = None,
    *,
    columns: list[str] | None = None,
    weight: Any = None,
    rows: int | None = None,
    encode: Encoding = "one-hot",
    progress: bool = False,
) -> Any:
    """Return chunks of a table that can be read repeatedly.

    The schema is checked once, and categories are collected once. Each pass then reads the needed
    columns of one part after the other. Memory contains one part at a time; for a file, up to
    three, because other threads read ahead.

    Parameters
    ----------
    data
        A path: Parquet (a file, a folder, a pattern with ``*``; a chunk is a row group), one CSV
        or TSV file (about 32 MB per chunk) or one ``.npy`` file, which is mapped. Or an array or a
        memory map, a frame, an Arrow dataset, a polars LazyFrame, a Dask array or frame.
    target
        The column of y, by name (for an array: by number), or an array of one target per row; None
        if there is none.
    columns
        The columns of X; None uses all but target and weight.
    weight
        The column of sample weights, or an array.
    rows
        Rows per chunk, for data not yet divided into parts; 262,144 by default.
    encode
        Encoding of text columns: "one-hot", an indicator column for each category; "dummy", for
        each but the first, so that columns and intercept are independent; "codes", one column of
        category codes, for trees.
    progress
        Whether to show a progress bar for every pass.

    Returns
    -------
    TableChunks
        Iterates over ``(X, y, sample_weight)``; pass it to `fit_chunks` or to `gramian.scale.fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import LinearRegression
    >>> from gramian.scale import chunks
    >>> table = np.arange(12.0).reshape(6, 2)
    >>> pieces = chunks(table, 1, rows=2)
    >>> len(pieces), LinearRegression().fit_chunks(pieces).coef_.round(6).tolist()
    (3, [1.0])
    """
    if encode not in ("one-hot", "dummy", "codes"):
        raise ParameterError(
            f"scale.chunks: encode must be 'one-hot', 'dummy' or 'codes'; got {encode!r}."
        )
    if rows is not None and not (isinstance(rows, int | np.integer) and rows >= 1):
        raise ParameterError(f"scale.chunks: rows must be an integer of at least 1; got {rows!r}.")
    if isinstance(target, bool):
        raise ParameterError(f"scale.chunks: target must name a column; got {target!r}.")
    target = int(target) if isinstance(target, np.integer) else target
    if is_dask(data):
        from gramian.scale.dask_source import DaskSource

        source: Source = DaskSource.of(data)
    else:
        source = source_of(data, rows)
    if source.n_parts == 0:
        raise DataError("scale.chunks: data must have at least one row; got none.")
    for name, values in (("target", target), ("weight", weight)):
        _check_length(name, values, getattr(source, "length", None))
    if source.names is None:
        return _of_array(source, target, columns, weight, progress)
    by_name = target is None or isinstance(target, str)
    weighed = weight is None or isinstance(weight, str)
    if not (by_name and weighed) and not hasattr(source, "rows"):
        raise ParameterError(
            "scale.chunks: target and weight must be column names if the data are already divided "
            f"into parts; got {type(target).__name__} and {type(weight).__name__}."
        )
    encoder = _encoder(
        source, target if by_name else None, columns, weight if weighed else None, encode
    )
    return TableChunks(
        source, encoder, None if by_name else target, None if weighed else weight, progress
    )


def _of_array(
    source: Source, target: Any, columns: list[str] | None, weight: Any, progress: bool
) -> TableChunks:
    if columns is not None or isinstance(target, str) or isinstance(weight, str | int):
        raise ParameterError(
            "scale.chunks: an array has no column names; pass target as a number or an array, and "
            "weight as an array."
        )
    shape = getattr(getattr(source, "values", None), "shape", None)
    if shape is not None and len(shape) != 2:
        raise DataError(f"scale.chunks: an array must have two dimensions; got shape {shape}.")
    if shape is not None and isinstance(target, int) and not -shape[1] <= target < shape[1]:
        raise ParameterError(
            f"scale.chunks: target must be the index of one of {shape[1]} columns; got {target}."
        )
    return TableChunks(source, None, target, weight, progress)


def _check_length(name: str, values: Any, length: int | None) -> None:
    """Raise unless an array has an entry per row."""
    if length is None or values is None or isinstance(values, str | int):
        return
    if len(values) != length:
        raise DataError(
            f"scale.chunks: {name} has {len(values)} entries and the data have {length} rows; pass "
            "one entry per row."
        )


def _check_columns(used: list[str], target: str | None) -> None:
    """Raise unless X has at least one column, no column twice, and not the target."""
    if not used:
        raise ParameterError("scale.chunks: columns must name at least one column; got none.")
    if target in used:
        raise ParameterError(f"scale.chunks: columns must not contain the target {target!r}.")
    twice = [name for name in used if used.count(name) > 1]
    if twice:
        raise ParameterError(f"scale.chunks: columns must differ; got {twice[0]!r} twice.")


def _encoder(
    source: Source,
    target: str | None,
    columns: list[str] | None,
    weight: str | None,
    encode: Encoding,
) -> Encoder:
    """Return the encoder, from the types of the first chunk and the categories of all chunks."""
    names = source.names or []
    for name in [*(columns or []), *(c for c in (target, weight) if c is not None)]:
        if name not in names:
            raise DataError(
                f"scale.chunks: there is no column {name!r}; the columns are {', '.join(names[:8])}"
                f"{', ...' if len(names) > 8 else ''}."
            )
    used = [n for n in names if n not in (target, weight)] if columns is None else list(columns)
    _check_columns(used, target)
    head = getattr(source, "head", None)
    kinds = column_kinds(source.read(0, used) if head is None else head(0, used, _TYPED_ROWS))
    other = [name for name in used if kinds[name] not in ("number", "float32", "text")]
    if other:
        raise DataError(
            f"scale.chunks: column {other[0]!r} is {kinds[other[0]]}, neither numbers nor text; "
            "convert it, or leave it out of columns."
        )
    text = [name for name in used if kinds[name] == "text"]
    found: dict[str, set[str]] = {name: set() for name in text}
    for part in range(source.n_parts) if text else ():
        for name, values in categories_in(source.read(part, text), text).items():
            found[name] |= values
    numbers = {kinds[name] for name in used if kinds[name] != "text"}
    dtype = np.float32 if numbers == {"float32"} else np.float64
    return Encoder(used, target, weight, dtype, encode, {k: sorted(v) for k, v in found.items()})
