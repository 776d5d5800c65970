"""One chunk of a table, as a worker gets it."""

from collections.abc import Iterator
from typing import Any

from gramian.scale.table_chunks import TableChunks


class TablePart:
    """One chunk of a table, for whoever reads it, perhaps elsewhere.

    Parameters
    ----------
    table
        All chunks; only what is needed to read the one is kept.
    part
        Its number.
    """

    def __init__(self, table: TableChunks, part: int) -> None:
        self.table, self.part = table.only(part), part

    def read(self) -> tuple[Any, Any, Any]:
        """Return X, y and the weights."""
        return self.table.read(self.part)

    def rows(self, begin: int, end: int) -> tuple[Any, Any, Any]:
        """Return some rows; of a file, what lies behind them is not read."""
        return self.table.take([(self.part, begin, end)])[0]

    def once(self) -> "_ReadOnce":
        """Return the chunk as chunks of one, which are read when they are needed, and once."""
        return _ReadOnce(self)


class _ReadOnce:
    def __init__(self, part: TablePart) -> None:
        self.part = part
        self.found: list[tuple[Any, Any, Any]] = []

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        self.found = self.found or [self.part.read()]
        return iter(self.found)

    def targets(self) -> list[tuple[Any, Any]]:
        """Return y and the weights of the one chunk."""
        return [self.part.table.read_target(self.part.part)]
