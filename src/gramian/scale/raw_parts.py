"""Parts of a file as frames, read as `gramian.read_table` reads a whole file, for ``gramian fit``.

A part of a text file has strings only; `gramian.scale.large_tables` decides from a sample, once for
all parts, which of them are numbers, dates or categories. `gramian.scale.csv_source` reads the same
pieces as typed columns instead, for `gramian.scale.chunks`, where types are those of polars.
"""

import csv
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from gramian.base.errors import DataError, need
from gramian.data.delimited import parse_delimited, separator_of
from gramian.data.encoding import decode
from gramian.scale.csv_source import line_borders
from gramian.scale.sources import ParquetSource

_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b")  # of UTF-16, and of gzip


class RawParts(Protocol):
    """A file in parts."""

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        ...

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        ...

    def read(self, part: int) -> Any:
        """Return a polars frame."""
        ...


@dataclass(frozen=True)
class ParquetParts:
    """Parquet files; a part is a row group."""

    source: ParquetSource

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return self.source.names

    @property
    def n_parts(self) -> int:
        """Number of row groups."""
        return self.source.n_parts

    def read(self, part: int) -> Any:
        """Read a row group."""
        return need("polars", extra="app").from_arrow(self.source.read(part, None))


@dataclass(frozen=True)
class TextParts:
    """A delimited file, cut between lines."""

    path: str
    borders: tuple[int, ...]  # byte positions: 0, then the end of each part
    separator: str
    names: list[str]

    @classmethod
    def of(cls, path: str) -> "TextParts":
        """Find where to cut the file, its separator and its columns."""
        ends = line_borders(path)
        with open(path, "rb") as file:
            head = file.read(ends[1])
        if head.startswith(_MARKS):
            raise DataError(f"{path}: chunks need UTF-8 text; convert the file first.")
        text, _ = decode(head, path)
        frame, _ = parse_delimited(text, path)
        return cls(path, (0, *ends[1:]), separator_of(text), frame.columns)

    @property
    def n_parts(self) -> int:
        """Number of parts of the file."""
        return len(self.borders) - 1

    def read(self, part: int) -> Any:
        """Read the lines between two borders; the first piece has the header."""
        start, stop = self.borders[part : part + 2]
        with open(self.path, "rb") as file:
            file.seek(start)
            text, _ = decode(file.read(stop - start), self.path)
        if part:
            header = io.StringIO()
            csv.writer(header, delimiter=self.separator, lineterminator="\n").writerow(self.names)
            text = header.getvalue() + text
        where = f"{self.path}, bytes {start} to {stop - 1}"
        frame, _ = parse_delimited(text, where)
        if frame.columns != self.names:
            raise DataError(
                f"{where}: the columns differ from those of the first lines; every line needs "
                f"{len(self.names)} fields."
            )
        return frame


def raw_parts(path: str) -> tuple[RawParts, str, str]:
    """Return the parts of a file or a folder, its format, and the digest of its bytes."""
    place = Path(path)
    files = sorted(map(str, place.rglob("*.parquet"))) if place.is_dir() else [path]
    if not files or not all(Path(file).exists() for file in files):
        raise DataError(f"{path}: no such file.")
    digest = hashlib.sha256()
    for file in files:
        with open(file, "rb") as opened:
            while block := opened.read(1 << 22):
                digest.update(block)
    with open(files[0], "rb") as opened:
        parquet = opened.read(4) == b"PAR1"
    if parquet:
        return ParquetParts(ParquetSource.of(files)), "Parquet", digest.hexdigest()
    return TextParts.of(path), "CSV", digest.hexdigest()
