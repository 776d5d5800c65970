"""One chunk of a table, as sent to a worker."""

from collections.abc import Iterator
from typing import Any

from gramian.scale.table_chunks import TableChunks


class TablePart:
    """One chunk of a table, to be read in any process.

    Parameters
    ----------
    table
        All chunks; only the data needed to read this one are kept.
    part
        Number of the chunk.
    """

    def __init__(self, table: TableChunks, part: int) -> None:
        self.table, self.part = table.only(part), part

    def read(self) -> tuple[Any, Any, Any]:
        """Return X, y and the weights."""
        return self.table.read(self.part)

    def rows(self, begin: int, end: int) -> tuple[Any, Any, Any]:
        """Return some rows; later rows of a file are not read."""
        return self.table.take([(self.part, begin, end)])[0]

    def once(self) -> "_ReadOnce":
        """Return an iterable of this one chunk, which is read once, when it is needed."""
        return _ReadOnce(self)


class _ReadOnce:
    def __init__(self, part: TablePart) -> None:
        self.part = part
        self.found: list[tuple[Any, Any, Any]] = []

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        self.found = self.found or [self.part.read()]
        return iter(self.found)

    def targets(self) -> list[tuple[Any, Any]]:
        """Return y and the weights of the chunk."""
        return [self.part.table.read_target(self.part.part)]
