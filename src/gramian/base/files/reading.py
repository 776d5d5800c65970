"""Read files within a size limit; other files than regular ones are not opened."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from gramian.base.errors import DataError
from gramian.base.files.writing import check_regular

MOST = 2**32  # maximum size in bytes of a file of a run
_PATIENT = getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for a writer
_BINARY = getattr(os, "O_BINARY", 0)


def open_regular_file(path: Path) -> BinaryIO:
    """Open a regular file; refuse folders, pipes, sockets and devices.

    Links are followed; their target must be a regular file.

    Examples
    --------
    >>> open_regular_file(Path("/dev/null"))
    Traceback (most recent call last):
        ...
    gramian.base.errors.DataError: /dev/null: it must be a regular file; got a device.
    """
    _check_kind(path, os.stat(path).st_mode)  # before opening, which may have effects
    file = os.fdopen(os.open(path, os.O_RDONLY | _PATIENT | _BINARY), "rb")
    try:
        _check_kind(path, os.fstat(file.fileno()).st_mode)
    except DataError:
        file.close()
        raise
    return file


def read_own(path: Path, most: int = MOST) -> bytes:
    """Read a regular file of a run folder; refuse links, and files that are too large."""
    check_regular(path)
    with open_regular_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise DataError(f"{path}: the file must have at most {most:,} bytes; got {size:,}.")
        return file.read(size)


def _check_kind(path: Path, mode: int) -> None:
    if stat.S_ISREG(mode):
        return
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    raise DataError(
        f"{path}: it must be a regular file; got {kinds.get(stat.S_IFMT(mode), 'something else')}."
    )
