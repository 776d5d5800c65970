"""Tables from files: CSV, TSV, Parquet, ARFF and XLSX, plain or gzipped, or standard input.

The format is detected from the first bytes of a file, not from its name. Reading needs the extra
``app``.
"""

import gzip
import hashlib
import io
import os
import re
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gramian.base.errors import DataError, need
from gramian.data.arff import read_arff
from gramian.data.delimited import parse_delimited
from gramian.data.encoding import decode

_ARFF = re.compile(r"(\s|%.*\n)*@(relation|attribute)\b", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class LoadedTable:
    """A table and its source.

    Attributes
    ----------
    frame
        A polars frame.
    name
        Name of the file, without folder and suffix.
    format
        ``"CSV"``, ``"Parquet"``, ``"ARFF"``, ``"XLSX"`` or ``"built in"``.
    sha256
        Digest of the bytes read.
    notes
        Assumptions made while reading.
    """

    frame: Any
    name: str
    format: str
    sha256: str
    notes: list[str] = field(default_factory=list)


def read_table(source: str | os.PathLike[str]) -> LoadedTable:
    r"""Read a table from a file, or from standard input for ``"-"``.

    Parameters
    ----------
    source
        Path of the file. Format, compression, encoding, separator and decimal mark are detected.

    Returns
    -------
    LoadedTable
        The frame and what was detected.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "t.csv")
    ...     _ = path.write_text("size,kind\n1,ash\n2,birch\n")
    ...     table = read_table(path)
    >>> table.frame.shape, table.format
    ((2, 2), 'CSV')
    """
    if str(source) == "-":
        return parse_table(sys.stdin.buffer.read(), "standard input")
    path = Path(source)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"{path}: no such file.") from None
    except IsADirectoryError:
        raise DataError(f"{path}: this is a folder; give a file.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from None
    return parse_table(data, str(path))


def parse_table(data: bytes, name: str) -> LoadedTable:
    """Read a table from its bytes; `name` is for messages."""
    digest = hashlib.sha256(data).hexdigest()
    data = _decompressed(data, name)
    if not data.strip():
        raise DataError(f"{name}: the file is empty; give a table with a header line and rows.")
    kind, frame, notes = _parsed(data, name)
    if frame.width == 0 or frame.height == 0:
        raise DataError(f"{name}: the table has no rows below its header line.")
    return LoadedTable(frame, _stem(name), kind, digest, notes)


def _parsed(data: bytes, name: str) -> tuple[str, Any, list[str]]:
    pl = need("polars", extra="app")
    if data.startswith(b"PAR1"):
        return "Parquet", _binary_table(name, lambda: pl.read_parquet(io.BytesIO(data))), []
    if data.startswith(b"PK\x03\x04"):
        need("fastexcel", extra="app")
        frame = _binary_table(name, lambda: pl.read_excel(data, engine="calamine"))
        return "XLSX", frame, ["only the first sheet is read"]
    text, encoding = decode(data, name)
    notes = [] if encoding == "UTF-8" else [f"read as {encoding}"]
    if _ARFF.match(text):
        return "ARFF", read_arff(text.splitlines()).to_polars(), notes
    frame, more = parse_delimited(text, name)
    return "CSV", frame, notes + more


def _decompressed(data: bytes, name: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error):
        raise DataError(f"{name}: the gzip data are damaged; copy the file again.") from None


def _binary_table(name: str, read: Any) -> Any:
    try:
        return read()
    except Exception as error:  # any decoder may fail on damaged data
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        raise DataError(f"{name}: cannot be read ({reason}); copy the file again.") from None


def _stem(name: str) -> str:
    plain = Path(name).name.removesuffix(".gz")
    return plain.rpartition(".")[0] or plain
