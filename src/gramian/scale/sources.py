"""Sources of rows: parts that any process can read, in any order.

A source knows its columns and its parts; ``read(j, columns)`` returns a frame with the named
columns, or an array. It stores paths and positions, no rows, so that it can be sent to a worker.
"""

from dataclasses import dataclass, replace
from glob import glob
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gramian.base.errors import DataError, need
from gramian.scale.csv_source import CsvSource

CHUNK_ROWS = 1 << 18  # rows of a chunk, for sources without natural parts
_BUFFER = 1 << 16  # bytes read at a time if only the first rows are needed


class Source(Protocol):
    """Rows on disk or elsewhere."""

    @property
    def names(self) -> list[str] | None:
        """The names of the columns; None for an array."""
        ...

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        ...

    @property
    def on_disk(self) -> bool:
        """Whether reading a part takes time that could be used for other work."""
        ...

    def read(self, part: int, columns: list[str] | None) -> Any:
        """Return the columns of one part."""
        ...

    def name_of(self, part: int) -> str:
        """Return the name of one part, for messages."""
        ...

    def only(self, part: int) -> "Source":
        """Return a source with only this part, under the same number."""
        ...


@dataclass(frozen=True)
class ArraySource:
    """An array in memory or mapped from a file; every part is a view of it."""

    values: Any
    rows: int
    path: str | None = None
    names: list[str] | None = None
    first: int = 0  # the number of the first part

    @classmethod
    def of_file(cls, path: str, rows: int) -> "ArraySource":
        """Memory-map a .npy file."""
        try:
            values = np.load(path, mmap_mode="r", allow_pickle=False)
        except ValueError as error:
            raise DataError(
                f"scale.chunks: {path} cannot be read: {error} Write it again with numpy.save, "
                "as an array of numbers."
            ) from error
        return cls(values, rows, path)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if self.path is not None:
            state["values"] = None  # mapped again by the process that reads it
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.path is not None:
            self.__dict__["values"] = np.load(self.path, mmap_mode="r", allow_pickle=False)

    @property
    def length(self) -> int:
        """Number of rows."""
        return len(self.values)

    @property
    def on_disk(self) -> bool:
        """Whether the array is memory-mapped from a file."""
        return self.path is not None

    @property
    def n_parts(self) -> int:
        """Number of slices."""
        return -(-self.length // self.rows)

    def read(self, part: int, columns: list[str] | None) -> Any:
        """Return a view."""
        start = (part - self.first) * self.rows
        return self.values[start : start + self.rows]

    def only(self, part: int) -> "ArraySource":
        """Return the rows of one part; for a file, only its path."""
        if self.path is not None:
            return self
        return replace(self, values=self.read(part, None), first=part)

    def name_of(self, part: int) -> str:
        """Return the row numbers of a part."""
        return f"rows {part * self.rows} to {(part + 1) * self.rows - 1}"


@dataclass(frozen=True)
class FrameSource:
    """A frame in memory, or a polars LazyFrame whose parts are computed when they are read."""

    frame: Any
    names: list[str]
    length: int
    rows: int
    first: int = 0  # the number of the first part

    @classmethod
    def of(cls, frame: Any, rows: int) -> "FrameSource":
        """Count the rows of a frame."""
        if _is_lazy(frame):
            polars = need("polars", extra="app")
            length = int(frame.select(polars.len()).collect().item())
            return cls(frame, frame.collect_schema().names(), length, rows)
        nw = need("narwhals.stable.v2", extra="app")
        eager = nw.from_native(frame, eager_only=True)
        return cls(frame, list(eager.columns), len(eager), rows)

    @property
    def on_disk(self) -> bool:
        """Whether the frame is a lazy plan."""
        return _is_lazy(self.frame)

    @property
    def n_parts(self) -> int:
        """Number of slices."""
        return -(-self.length // self.rows)

    def read(self, part: int, columns: list[str] | None) -> Any:
        """Return a slice."""
        start = (part - self.first) * self.rows
        if _is_lazy(self.frame):
            chosen = self.frame if columns is None else self.frame.select(columns)
            return chosen.slice(start, self.rows).collect()
        nw = need("narwhals.stable.v2", extra="app")
        eager = nw.from_native(self.frame, eager_only=True)
        eager = eager if columns is None else eager.select(columns)
        return eager[start : start + self.rows].to_native()

    def only(self, part: int) -> "FrameSource":
        """Return the rows of one part; for a LazyFrame, only its plan."""
        if _is_lazy(self.frame):
            return self
        return replace(self, frame=self.read(part, None), first=part)

    def name_of(self, part: int) -> str:
        """Return the row numbers of a part."""
        return f"rows {part * self.rows} to {(part + 1) * self.rows - 1}"


def _is_lazy(frame: Any) -> bool:
    return type(frame).__name__ == "LazyFrame"


@dataclass(frozen=True)
class ParquetSource:
    """Parquet files: a part is a row group."""

    groups: tuple[tuple[str, int], ...]  # file, and number of the row group
    names: list[str]
    sizes: tuple[int, ...]  # rows of each
    first: int = 0  # the number of the first group

    @classmethod
    def of(cls, paths: list[str]) -> "ParquetSource":
        """Open files; the columns of all must have the same types."""
        parquet = need("pyarrow.parquet", extra="dask")
        groups: list[tuple[str, int]] = []
        sizes: list[int] = []
        schema = None
        for path in paths:
            try:
                with parquet.ParquetFile(path) as file:
                    schema = file.schema_arrow if schema is None else schema
                    _check_schema(path, schema, file.schema_arrow)
                    here = range(file.num_row_groups)
                    groups += [(path, j) for j in here]
                    sizes += [file.metadata.row_group(j).num_rows for j in here]
            except (OSError, ValueError) as error:
                if isinstance(error, DataError):
                    raise
                raise DataError(f"scale.chunks: {path} cannot be read: {error}") from error
        assert schema is not None
        return cls(tuple(groups), list(schema.names), tuple(sizes))

    @property
    def on_disk(self) -> bool:
        """Whether the parts are on disk: True."""
        return True

    @property
    def n_parts(self) -> int:
        """Number of row groups."""
        return len(self.groups)

    def read(self, part: int, columns: list[str] | None) -> Any:
        """Read the requested columns of a row group."""
        parquet = need("pyarrow.parquet", extra="dask")
        path, group = self.groups[part - self.first]
        with parquet.ParquetFile(path) as file:
            return file.read_row_group(group, columns=columns)

    def head(self, part: int, columns: list[str] | None, rows: int) -> Any:
        """Read the first rows of a row group, and little more."""
        arrow = need("pyarrow", extra="dask")
        parquet = need("pyarrow.parquet", extra="dask")
        path, group = self.groups[part - self.first]
        with parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False) as file:
            batches = file.iter_batches(
                rows, row_groups=[group], columns=columns, use_threads=False
            )
            batches_read: list[Any] = []
            while (batch := next(batches, None)) is not None:
                batches_read.append(batch)
                if sum(map(len, batches_read)) >= rows:
                    break
            schema = file.schema_arrow
        if not batches_read:
            return schema.empty_table() if columns is None else schema.empty_table().select(columns)
        return arrow.Table.from_batches(batches_read)[:rows]

    def only(self, part: int) -> "ParquetSource":
        """Return one row group."""
        cut = slice(part - self.first, part - self.first + 1)
        return replace(self, groups=self.groups[cut], sizes=self.sizes[cut], first=part)

    def name_of(self, part: int) -> str:
        """Return the row group and its file."""
        path, group = self.groups[part - self.first]
        return f"row group {group} of {path}"


@dataclass(frozen=True)
class ArrowSource:
    """An Arrow dataset: a part is a row group of a Parquet file, or a file of another format."""

    fragments: tuple[Any, ...]
    names: list[str]
    first: int = 0  # the number of the first fragment

    @classmethod
    def of(cls, data: Any) -> "ArrowSource":
        """Return the source of a dataset; all its files must have the same column types."""
        fragments: list[Any] = []
        for fragment in data.get_fragments():
            _check_schema(
                getattr(fragment, "path", "a fragment"), data.schema, fragment.physical_schema
            )
            has_row_groups = hasattr(fragment, "split_by_row_group")
            fragments += fragment.split_by_row_group() if has_row_groups else [fragment]
        return cls(tuple(fragments), list(data.schema.names))

    @property
    def on_disk(self) -> bool:
        """Whether the parts are on disk: True."""
        return True

    @property
    def n_parts(self) -> int:
        """Number of fragments."""
        return len(self.fragments)

    def read(self, part: int, columns: list[str] | None) -> Any:
        """Read the requested columns of a fragment, in this thread."""
        fragment = self.fragments[part - self.first]
        return fragment.to_table(columns=columns, use_threads=False)

    def only(self, part: int) -> "ArrowSource":
        """Return one fragment."""
        here = part - self.first
        return replace(self, fragments=self.fragments[here : here + 1], first=part)

    def name_of(self, part: int) -> str:
        """Return the file of a fragment."""
        fragment = self.fragments[part - self.first]
        return f"fragment {part}, of {getattr(fragment, 'path', 'the dataset')}"


def _check_schema(path: str, schema: Any, found: Any) -> None:
    """Raise unless a file has the columns and types of the first."""
    for name in schema.names:
        if name not in found.names:
            raise DataError(
                f"scale.chunks: {path} has no column {name!r}, which the first file has; use "
                "files with the same columns, or set columns to those that all files have."
            )
        wanted, actual = schema.field(name).type, found.field(name).type
        if wanted != actual:
            raise DataError(
                f"scale.chunks: column {name!r} is {actual} in {path} and {wanted} in the first "
                "file; write both with one type."
            )


def source_of(data: Any, rows: int | None) -> Source:
    """Return the source of a path, an array, a frame, a dataset."""
    size = rows or CHUNK_ROWS
    if isinstance(data, str | Path):
        return _of_path(str(data), size)
    if isinstance(data, np.ndarray):
        return ArraySource(data, size)
    if hasattr(data, "get_fragments"):
        return ArrowSource.of(data)
    if _is_lazy(data) or hasattr(data, "columns") or hasattr(data, "column_names"):
        return FrameSource.of(data, size)
    raise DataError(
        "scale.chunks: data must be a path, an array, a frame, an Arrow dataset, a polars "
        f"LazyFrame or a Dask collection; got {type(data).__name__}."
    )


def _of_path(path: str, rows: int) -> Source:
    paths = sorted(glob(path)) if any(c in path for c in "*?[") else [path]
    if len(paths) == 1 and Path(paths[0]).is_dir():
        paths = sorted(str(p) for p in Path(paths[0]).rglob("*.parquet"))
    if not paths or not all(Path(p).exists() for p in paths):
        raise DataError(f"scale.chunks: there is no file at {path}; check the path.")
    kinds = {Path(p).suffix.lower() for p in paths}
    if kinds <= {".parquet", ".pq"}:
        return ParquetSource.of(paths)
    if len(paths) == 1 and kinds <= {".csv", ".tsv", ".txt"}:
        return CsvSource.of(paths[0])
    if len(paths) == 1 and kinds == {".npy"}:
        return ArraySource.of_file(paths[0], rows)
    raise DataError(
        "scale.chunks: data must be Parquet files, one CSV or TSV file, or one .npy file; got "
        f"{path}. Write it as Parquet."
    )
