"""Files that are there whole or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside `path` that takes its place once all of it is on the disk.

    After an error (a full disk, an interrupt) `path` is as it was, and nothing is left beside it.
    A symbolic link stays, and the file that it names is replaced; pipes and devices are refused.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "numbers.txt"
    ...     with written_whole(path) as file:
    ...         _ = file.write(b"1 2 3")
    ...     path.read_text(), len(list(path.parent.iterdir()))
    ('1 2 3', 1)
    """
    if path.is_symlink():
        path = Path(os.path.realpath(path))
    if path.exists() and not (path.is_file() or path.is_dir()):
        advice = "not a regular file: write to a new path, and copy the file from there"
        raise FileExistsError(errno.EEXIST, advice, str(path))
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
