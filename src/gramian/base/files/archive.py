"""The zip archive of a model file, read within a memory limit.

The sizes that a file declares (of an entry, an array, its strings) are compared with the rest of
the limit before anything is allocated, and with the data that the file contains. Entries that are
not needed are not read.
"""

import hashlib
import json
import math
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ModelFileError

MANIFEST = "manifest.json"
LEAST_LIMIT = 2**30  # bytes that any file may take
LARGEST_GROWTH = 100  # times its own size that a larger file may take
LARGEST_FILE = 2**33  # bytes of a file that is read without an explicit limit
DEEPEST = 100  # brackets inside brackets of the manifest

# Memory of the manifest, parsed and decoded: "\u0101" is the dearest text, and a list or a small
# dict takes about 100 to 200 bytes each time.
_BYTES_OF_JSON = 20  # per byte
_BYTES_OF_A_BRACKET = 256  # more for each list or dict
_BYTES_OF_THE_DIRECTORY = 16  # per byte: an entry of 50 bytes becomes an object
_PIECE = 2**20  # bytes inflated at a time
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<>|][biuf]\d{1,2})', 'fortran_order': (False|True), "
    rb"'shape': \(((?:\d{1,19}, ?)*(?:\d{1,19})?)\), \} *\n"
)
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)

Array: TypeAlias = npt.NDArray[Any]


class Budget:
    """The number of bytes that a model may still use.

    Examples
    --------
    >>> budget = Budget(10)
    >>> budget.spend(8, "an array")
    >>> budget.spend(3, "an array")
    Traceback (most recent call last):
        ...
    gramian.base.errors.ModelFileError: ... needs 3 bytes for an array, but only 2 of 10 ...
    """

    def __init__(self, limit: int) -> None:
        self._limit = self._left = limit

    def spend(self, size: int, what: str) -> None:
        """Use `size` bytes; raise if fewer are left."""
        if size > self._left:
            raise ModelFileError(
                f"load: the file needs {size} bytes for {what}, but only {self._left} of "
                f"{self._limit} are left; if you trust the file, pass a larger max_bytes."
            )
        self._left -= size


class Archive:
    """The parts of a model file, each read when it is needed.

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO()
    >>> with zipfile.ZipFile(stream, "w") as file:
    ...     file.writestr(MANIFEST, '{"format": 3}')
    >>> Archive(stream).manifest()
    {'format': 3}
    """

    def __init__(self, stream: BinaryIO, max_bytes: int | None = None) -> None:
        size = stream.seek(0, 2)
        stream.seek(0)
        most = LARGEST_FILE if max_bytes is None else max_bytes
        if size > most:
            raise ModelFileError(
                f"load: the file has {size} bytes, more than {most}; if you trust the file, pass a "
                "larger max_bytes."
            )
        self.budget = Budget(
            max(LEAST_LIMIT, LARGEST_GROWTH * size) if max_bytes is None else max_bytes
        )
        counted = _Counted(stream, self.budget)
        self._zip = zipfile.ZipFile(counted)
        counted.budget = None

    def manifest(self) -> Any:
        """Return the manifest."""
        with _opened(self._zip, MANIFEST) as (entry, size):
            self.budget.spend(_BYTES_OF_JSON * size, "the manifest")
            text = entry.read(size)
        brackets, depth = _nesting(text)
        self.budget.spend(_BYTES_OF_A_BRACKET * brackets, "the manifest")
        if depth > DEEPEST:
            raise ValueError(f"the manifest nests deeper than {DEEPEST}")
        return json.loads(text.decode())  # json.loads would guess the encoding of bytes

    def array(self, name: str, digest: str) -> Array:
        """Return an array whose entry has this digest."""
        sha256 = hashlib.sha256()
        with _opened(self._zip, f"{name}.npy") as (entry, size):

            def read(length: int) -> bytes:
                piece = entry.read(length)
                sha256.update(piece)
                return piece

            prefix = read(len(_MAGIC) + 2)
            header = read(int.from_bytes(prefix[-2:], "little"))
            dtype, shape, order = _layout(prefix, header)
            body = math.prod(shape) * dtype.itemsize
            if body != size - len(prefix) - len(header):
                raise ValueError(f"array {name!r} of shape {shape} and {dtype} in {size} bytes")
            self.budget.spend(body, f"array {name!r}")
            array = np.empty(shape, dtype, order)
            bytes_ = array.reshape(-1, order="A").view(np.uint8)
            for start in range(0, body, _PIECE):
                piece = read(min(_PIECE, body - start))
                if len(piece) < min(_PIECE, body - start):
                    raise ValueError(f"array {name!r} ends after {start + len(piece)} bytes")
                bytes_[start : start + len(piece)] = np.frombuffer(piece, np.uint8)
        if sha256.hexdigest() != digest:
            raise ModelFileError(
                f"load: array {name!r} is damaged or missing; copy or save the file again."
            )
        if dtype.kind == "b" and body and bytes_.max() > 1:
            raise ValueError(f"array {name!r} holds booleans other than 0 and 1")
        return array.astype(dtype.newbyteorder("="), copy=False)


class _Counted:
    """A stream that charges reads to a budget while the zip's directory is read, in one piece."""

    def __init__(self, stream: BinaryIO, budget: Budget) -> None:
        self.budget: Budget | None = budget
        self._stream = stream
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable

    def read(self, size: int = -1) -> bytes:
        if self.budget is not None:
            at = self._stream.tell()
            left = self._stream.seek(0, 2) - at
            self._stream.seek(at)
            wanted = left if size is None or size < 0 else min(size, left)
            self.budget.spend(_BYTES_OF_THE_DIRECTORY * wanted, "the directory of the zip")
        return self._stream.read(size)


@contextmanager
def _opened(file: zipfile.ZipFile, name: str) -> Iterator[tuple[IO[bytes], int]]:
    """Open an entry of a zip, with the size that it declares.

    Callers must read a given number of bytes; otherwise the whole entry would be inflated.
    """
    info = file.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is compressed by method {info.compress_type}")
    with file.open(info) as stream:
        yield stream, info.file_size


def _layout(prefix: bytes, header: bytes) -> tuple[np.dtype[Any], tuple[int, ...], Any]:
    """Read type, shape and order from the header of a ``.npy`` file as NumPy writes it."""
    found = _HEADER.fullmatch(header)
    if not prefix.startswith(_MAGIC) or found is None:
        raise ValueError(f"an array with the header {header[:80]!r}")
    descr, fortran, lengths = found.groups()
    shape = tuple(int(n) for n in lengths.replace(b" ", b"").split(b",") if n)
    return np.dtype(descr.decode()), shape, "F" if fortran == b"True" else "C"


def _nesting(text: bytes) -> tuple[int, int]:
    """Return how many brackets a JSON text opens, and how deep they nest."""
    codes = np.frombuffer(_TEXT.sub(b"", text), np.uint8)
    opens = np.isin(codes, list(b"[{"))
    steps = opens.astype(np.int8) - np.isin(codes, list(b"]}"))
    return int(opens.sum()), int(np.cumsum(steps, dtype=np.int64).max(initial=0))
