"""Tables from files: CSV, TSV, Parquet, ARFF and XLSX, plain or gzipped, or standard input.

The format is detected from the first bytes of a file, not from its name. Reading needs the extra
``app``.
"""

import gzip
import hashlib
import io
import os
import re
import stat
import sys
import zipfile
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gramian.base.errors import DataError, need
from gramian.data.arff import read_arff
from gramian.data.delimited import parse_delimited
from gramian.data.encoding import decode
from gramian.data.formats.parsing import parse_columns
from gramian.data.names import unique_names

_LEAST_LIMIT = 2**30  # decompressed size in bytes that is always allowed
_LARGEST_GROWTH = 200  # beyond it, the maximum ratio to the compressed size
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
    formats
        The format of every column that was read from strings, see `TablePreparer`.
    sheet
        The sheet of a workbook.
    """

    frame: Any
    name: str
    format: str
    sha256: str
    notes: list[str] = field(default_factory=list)
    formats: dict[str, dict[str, str]] = field(default_factory=dict)
    sheet: str | None = None


def read_table(
    source: str | os.PathLike[str], *, sheet: str | None = None, parse: bool = True
) -> LoadedTable:
    r"""Read a table from a file, or from standard input for ``"-"``.

    Parameters
    ----------
    source
        Path of the file. Format, compression, encoding and separator are detected.
    sheet
        Name of the sheet of a workbook; None reads the first.
    parse
        Whether to convert strings to numbers, dates, times and booleans. If not,
        all columns of a text file are strings, for a model that knows their formats.

    Returns
    -------
    LoadedTable
        The frame, and what was detected.

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
        return parse_table(sys.stdin.buffer.read(), "standard input", sheet=sheet, parse=parse)
    path = Path(source)
    try:
        _check_no_device(path)
        data = path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"{path}: no such file.") from None
    except IsADirectoryError:
        raise DataError(f"{path}: this is a folder; a file is required.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from None
    return parse_table(data, str(path), sheet=sheet, parse=parse)


def parse_table(
    data: bytes, name: str, *, sheet: str | None = None, parse: bool = True
) -> LoadedTable:
    """Read a table from its bytes; `name` is for messages, the others as in `read_table`."""
    digest = hashlib.sha256(data).hexdigest()
    data = _decompressed(data, name)
    if not data.strip():
        raise DataError(f"{name}: the file is empty; it must have a header line and rows.")
    table = _read(data, name, sheet)
    if table.frame.width == 0 or table.frame.height == 0:
        raise DataError(f"{name}: the table has no rows below its header line.")
    loaded = replace(table, name=_stem(name), sha256=digest)
    return typed_table(loaded) if parse else loaded


def typed_table(table: LoadedTable) -> LoadedTable:
    """Return the table with strings converted to numbers, dates, times and booleans."""
    found = parse_columns(table.frame)
    return replace(
        table,
        frame=found.frame,
        notes=[*table.notes, *found.notes],
        formats={**table.formats, **found.formats},
    )


def loaded_table(table: Any) -> LoadedTable:
    """Return a frame, or a table that was read, with text such as "$1,300" as numbers."""
    if not isinstance(table, LoadedTable):
        return typed_table(LoadedTable(table, "table", "frame", ""))
    return table if table.formats else typed_table(table)


def _read(data: bytes, name: str, sheet: str | None) -> LoadedTable:
    """Return the unparsed table, without name and digest."""
    pl = need("polars", extra="app")
    if data.startswith(b"PK\x03\x04"):
        return _workbook(data, name, sheet)
    if sheet is not None:
        raise DataError(f"sheet: {name} has no sheets; leave out {sheet!r}.")
    if data.startswith(b"PAR1"):
        frame = _binary_table(name, lambda: pl.read_parquet(io.BytesIO(data)))
        return LoadedTable(frame, "", "Parquet", "")
    text, encoding = decode(data, name)
    notes = [] if encoding == "UTF-8" else [f"read as {encoding}"]
    if _ARFF.match(text):
        return LoadedTable(read_arff(text.splitlines()).to_polars(), "", "ARFF", "", notes)
    frame, more = parse_delimited(text, name)
    return LoadedTable(frame, "", "CSV", "", notes + more)


def _workbook(data: bytes, name: str, sheet: str | None) -> LoadedTable:
    fastexcel = need("fastexcel", extra="app")
    _check_workbook(data, name)
    book = _binary_table(name, lambda: fastexcel.read_excel(data))
    sheets = book.sheet_names
    if sheet is not None and sheet not in sheets:
        listed = ", ".join(map(repr, sheets))
        raise DataError(f"sheet: {name} has no sheet {sheet!r}; its sheets are {listed}.")
    chosen = sheets[0] if sheet is None else sheet
    notes = []
    if sheet is None and len(sheets) > 1:
        others = ", ".join(map(repr, sheets[1:4])) + (", ..." if len(sheets) > 4 else "")
        notes.append(f"read sheet {chosen!r}, the first; the others are {others}")
    frame = _binary_table(name, lambda: book.load_sheet(chosen).to_polars())
    if frame.width:
        first = book.load_sheet(chosen, header_row=None, n_rows=1, dtypes="string").to_polars()
        names = ["" if cell is None else cell.strip() for cell in first.row(0)]
        if len(names) == frame.width:
            frame.columns, renamed = unique_names(names)
            notes += renamed
    return LoadedTable(frame, "", "XLSX", "", notes, sheet=chosen)


def _check_workbook(data: bytes, name: str) -> None:
    """Raise if the sheets of a workbook would become too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            size = sum(entry.file_size for entry in file.infolist())
    except (ValueError, zipfile.BadZipFile):  # the reader reports what is wrong
        return
    if size > _largest(data):
        raise DataError(
            f"{name}: the workbook expands to {size:,} bytes, more than {_largest(data):,}; save "
            "the sheet as CSV."
        )


def _check_no_device(path: Path) -> None:
    """Raise for a device, which may be endless, unless it is a pipe or a terminal."""
    mode = path.stat().st_mode
    if stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not _is_terminal(path)):
        raise DataError(f"{path}: a table must be a file or a pipe; got a device.")


def _is_terminal(path: Path) -> bool:
    with path.open("rb", buffering=0) as file:
        return file.isatty()


def _largest(data: bytes) -> int:
    """Return the maximum size of decompressed data, which a decompression bomb would exceed."""
    return max(_LEAST_LIMIT, _LARGEST_GROWTH * len(data))


def _decompressed(data: bytes, name: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    most = _largest(data)
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            found = file.read(most + 1)
        if len(found) > most:
            raise DataError(
                f"{name}: the gzip data expand to more than {most:,} bytes; decompress the file "
                "first."
            )
        return found
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
