"""The journal of a run: every finished step, appended and flushed to disk.

One JSON object a line, ``{"key": ..., "value": ...}``. A value whose key is
in the journal is not computed again, so a killed run resumes where it stopped. An incomplete last
line is dropped. Arrays are stored in separate files, written before the line that refers to them.
The file is locked while it is open, so that no two runs write to it; the lock ends with the run.
"""

import json
import os
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from gramian.base.errors import DataError, caller_level
from gramian.base.files.reading import open_regular_file
from gramian.base.files.writing import (
    check_regular,
    create_folder,
    named_errors,
    open_for_appending,
    written_whole,
)

_NAME = "journal.jsonl"
Arrays = dict[str, NDArray[Any]]


class Journal:
    """Values by key, stored in a folder, or in memory only if there is none.

    Examples
    --------
    >>> with Journal(None) as journal:
    ...     journal.once("sum", lambda: 1 + 1), journal.once("sum", lambda: 3)
    (2, 2)
    """

    def __init__(self, folder: Path | None) -> None:
        self._values: dict[str, Any] = {}
        self._arrays: dict[str, Arrays] = {}
        self._folder = folder
        self._file: Any = None
        if folder is not None:
            self._file = _locked(folder / _NAME)
            self._read(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def values(self) -> list[Any]:
        """Return all values, in the order in which they were written."""
        return list(self._values.values())

    def once(self, key: str, compute: Callable[[], Any]) -> Any:
        """Return the value of a key; compute and write it if there is none."""
        if key not in self._values:
            self._write(key, compute())
        return self._values[key]

    def once_with_arrays(self, key: str, compute: Callable[[], tuple[Any, Arrays]]) -> Any:
        """Return the value of a key as `once` does; `arrays` returns its arrays."""
        if key not in self._values:
            value, arrays = compute()
            if self._folder is None:
                self._arrays[key] = arrays
            elif arrays:
                _write_arrays(self._array_file(key), arrays)
            self._write(key, value)
        return self._values[key]

    def arrays(self, key: str) -> Arrays:
        """Return the arrays of a key."""
        if self._folder is None:
            return self._arrays[key]
        path = self._array_file(key)
        try:
            check_regular(path)
            with open_regular_file(path) as stream, np.load(stream, allow_pickle=False) as file:
                return dict(file)
        except DataError:
            raise
        except (OSError, EOFError, TypeError, ValueError, zipfile.BadZipFile, zlib.error) as error:
            raise DataError(
                f"{path}: cannot be read ({error}); remove the run directory and start again."
            ) from None

    def _array_file(self, key: str) -> Path:
        return Path(self._folder or ".") / "arrays" / f"{key.replace('/', '-')}.npz"

    def _write(self, key: str, value: Any) -> None:
        line = json.dumps({"key": key, "value": value}, allow_nan=True) + "\n"
        self._values[key] = json.loads(line)["value"]  # as a later run would read it
        if self._file is not None:
            with named_errors(Path(self._folder or ".") / _NAME):
                self._file.write(line.encode())
                self._file.flush()
                os.fsync(self._file.fileno())

    def _read(self, file: BinaryIO) -> None:
        """Read the complete lines of the file and drop the rest."""
        data = file.read()
        whole = 0
        for line in data.splitlines(keepends=True):
            try:
                entry = json.loads(line) if line.endswith(b"\n") else None
                key, value = entry["key"], entry["value"]  # type: ignore[index]
                hash(key)
            except (ValueError, TypeError, KeyError, RecursionError):
                break
            self._values[key] = value
            whole += len(line)
        if whole < len(data):
            file.truncate(whole)


def _locked(path: Path) -> BinaryIO:
    """Open a journal, locked for this run where the system supports locks."""
    file = open_for_appending(path)
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise DataError(
            f"{path.parent}: another run is writing to this folder; wait for it to end, or stop it."
        ) from None
    except (ImportError, OSError) as error:  # Windows, and some network file systems
        warnings.warn(
            f"{path.parent}: cannot be locked ({error}); do not start a second run in it.",
            stacklevel=caller_level(),
        )
    file.seek(0)
    return file


def _write_arrays(path: Path, arrays: Arrays) -> None:
    create_folder(path.parent)
    with written_whole(path) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
