"""Delimited files cut between lines, read as typed columns for `gramian.scale.chunks`.

Polars infers the type of each column over all parts, once; any process can then read any part.
`gramian.scale.raw_parts` reads the same pieces of a file as strings instead, for ``gramian fit``,
which decides from them what a column such as "$1,300" means.
"""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from gramian.base.errors import DataError, need

_BYTES = 1 << 25  # approximate size of a part


@dataclass(frozen=True)
class CsvSource:
    """A delimited file, cut between lines; quoted fields may contain line breaks."""

    path: str
    separator: str
    borders: tuple[int, ...]  # byte positions: the end of the header, then of each part
    names: list[str]
    types: dict[str, Any]

    @classmethod
    def of(cls, path: str) -> "CsvSource":
        """Find where to cut the file, and the type of each column, in one pass."""
        polars = need("polars", extra="app")
        separator = "\t" if Path(path).suffix == ".tsv" else ","
        borders = line_borders(path)
        with open(path, "rb") as file:
            header = file.read(borders[0])
        names = polars.read_csv(BytesIO(header), separator=separator).columns
        untyped = cls(path, separator, borders, names, {})
        types: dict[str, Any] = {}
        for part in range(untyped.n_parts):
            for name, kind in untyped.read(part, None).schema.items():
                types[name] = _wider(types.get(name), kind)
        return cls(path, separator, borders, names, types)

    @property
    def on_disk(self) -> bool:
        """Whether the parts are on disk: True."""
        return True

    @property
    def n_parts(self) -> int:
        """Number of parts of the file."""
        return len(self.borders) - 1

    def read(self, part: int, columns: list[str] | None) -> Any:
        """Read the lines between two borders."""
        polars = need("polars", extra="app")
        start, stop = self.borders[part : part + 2]
        with open(self.path, "rb") as file:
            file.seek(start)
            text = file.read(stop - start)
        try:
            found = polars.read_csv(
                BytesIO(text),
                has_header=False,
                new_columns=self.names,
                separator=self.separator,
                schema_overrides=list(self.types.values()) or None,
                infer_schema_length=None,
            )
        except polars.exceptions.PolarsError as error:
            words = str(error).rstrip(".")
            hint = f"Every line needs {len(self.names)} fields, like the first line."
            if "utf-8" in words.lower():
                hint = "Write the file in UTF-8."
            raise DataError(
                f"scale.chunks: {self.name_of(part)} cannot be read: {words}. {hint}"
            ) from error
        return found if columns is None else found.select(columns)

    def only(self, part: int) -> "CsvSource":
        """Return the source itself, which is small."""
        return self

    def name_of(self, part: int) -> str:
        """Return the range of bytes of a part."""
        start, stop = self.borders[part : part + 2]
        return f"bytes {start} to {stop - 1} of {self.path}"


def line_borders(path: str) -> tuple[int, ...]:
    """Return the end of the first line, and ends of lines about every 32 MB, outside quotes."""
    borders: list[int] = []
    at = 0
    quoted = False
    with open(path, "rb") as file:
        for line in file:
            at += len(line)
            quoted ^= line.count(b'"') % 2 == 1
            if not quoted and (not borders or at - borders[-1] >= _BYTES):
                borders.append(at)
    if len(borders) == 0 or at == borders[0]:
        raise DataError(f"scale.chunks: {path} has no rows below its header.")
    return tuple(borders) if borders[-1] == at else (*borders, at)


def _wider(first: Any, second: Any) -> Any:
    """Return the type that can represent both: integers, then floats, then text."""
    polars = need("polars", extra="app")
    if first is None or first == second:
        return second
    if first == polars.Null or second == polars.Null:
        return second if first == polars.Null else first
    if first.is_numeric() and second.is_numeric():
        return polars.Float64
    return polars.String
