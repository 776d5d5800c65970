"""Write files completely or not at all, and never through a link."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gramian.base.errors import DataError

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # not on Windows
_BINARY = getattr(os, "O_BINARY", 0)  # on Windows only
_ADVICE = {
    errno.ENOSPC: "free some space, or write to another disk",
    getattr(errno, "EDQUOT", 0): "free some space, or write to another disk",
    errno.EFBIG: "write to a disk that supports larger files, or raise `ulimit -f`",
    errno.EACCES: "write to one of your own folders, or ask for permission to write here",
    errno.EPERM: "write to one of your own folders, or ask for permission to write here",
    errno.EROFS: "write to another disk",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ENOENT: "create the folder first",
    errno.ENOTDIR: "part of the path is a file; choose a path of folders",
}


@contextmanager
def written_whole(path: Path, *, follow: bool = False) -> Iterator[BinaryIO]:
    """Open a file next to `path` that replaces it once it is completely written to disk.

    After an error (a full disk, an interrupt) `path` is unchanged, and no partial file is left.
    A symbolic link is replaced; with `follow` it stays, and the file that it names is replaced.
    Pipes and devices are refused.

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
    if follow and path.is_symlink():
        path = Path(os.path.realpath(path))
    with named_errors(path):
        if path.exists() and not path.is_symlink() and not (path.is_file() or path.is_dir()):
            advice = "not a regular file: write to a new path, and copy the file from there"
            raise FileExistsError(errno.EEXIST, advice, str(path))
    partial = path.with_name(f".{secrets.token_hex(8)}.partial")
    with named_errors(path, partial):
        created = False
        try:
            with _created(partial) as file:
                created = True
                yield file
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            if created:
                partial.unlink(missing_ok=True)


@contextmanager
def named_errors(path: Path, *others: Path) -> Iterator[None]:
    """Make system errors name the file being written, and say what to do.

    Errors that name another file than `path` or `others` are unchanged.

    Examples
    --------
    >>> with named_errors(Path("model.gram")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
        ...
    OSError: [Errno 28] No space left on device: free some space, or write to ...: 'model.gram'
    """
    try:
        yield
    except OSError as error:
        ours = error.filename is None or str(error.filename) in {str(p) for p in (path, *others)}
        if error.errno is None or not ours or error.errno == errno.EEXIST:
            raise
        advice = _ADVICE.get(error.errno)
        reason = error.strerror or os.strerror(error.errno)
        raise OSError(
            error.errno, reason if advice is None else f"{reason}: {advice}", str(path)
        ) from None


def _created(path: Path) -> BinaryIO:
    """Create a file; raise if the name exists, even as a link."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY
    return os.fdopen(os.open(path, flags, 0o666), "wb")


def open_for_appending(path: Path) -> BinaryIO:
    """Open a file for reading and appending; refuse links, pipes and devices.

    A file that has a second name (a hard link) is refused too: it may belong to another user.

    Examples
    --------
    >>> open_for_appending(Path("/dev/null"))
    Traceback (most recent call last):
        ...
    gramian.base.errors.DataError: /dev/null: it must be a regular file of its own, not a link, ...
    """
    check_regular(path)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | _NO_LINK | _BINARY
    with named_errors(path):
        file = os.fdopen(os.open(path, flags, 0o666), "a+b")
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        file.close()
        raise _not_regular(path)
    return file


def check_regular(path: Path) -> None:
    """Raise if this name exists and is not a regular file; links are refused too."""
    try:
        found = path.lstat()
    except OSError:
        return
    if not stat.S_ISREG(found.st_mode):
        raise _not_regular(path)


def create_folder(path: Path) -> Path:
    """Create a folder if it does not exist; refuse a link to one."""
    with named_errors(path):
        path.mkdir(exist_ok=True)
    if path.is_symlink():
        raise DataError(
            f"{path}: it must be a folder of the run, not a link to another one; remove the link."
        )
    return path


def _not_regular(path: Path) -> DataError:
    return DataError(
        f"{path}: it must be a regular file of its own, not a link, a pipe or a device; remove it "
        "and try again."
    )
