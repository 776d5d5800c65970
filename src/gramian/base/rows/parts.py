"""Rows spread over the workers of a cluster or over parts of a file.

A fit of data larger than memory makes passes over the rows. Each pass runs a step over the chunks
of every part, on the worker that has them, and merges the results in the order of the rows,

    S = merge(...merge(merge(s_1, s_2), s_3)..., s_m),    s_j = step(chunks of part j).

Only the summaries s_j are sent, never the rows. The grouping of the merges depends only on the
number of parts, so the result is identical on any workers. A fit that would read the rows
hundreds of times keeps an object with the required data on each worker, and calls its methods.
`gramian.scale` provides parts computed by Dask; chunks read by one process are one part.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

S = TypeVar("S")


class RowsLostError(RuntimeError):
    """A worker was lost with the object kept there; create the objects again."""


class ObjectGroup(Protocol):
    """Objects kept with their rows, one per worker, and called together."""

    def total(self, method: str, merge: Callable[[Any, Any], Any], *arguments: Any) -> Any:
        """Call a method of all objects in parallel and merge the results, in any order.

        Raise `RowsLostError` if a worker was lost.
        """
        ...


class WorkerObjects(ObjectGroup, Protocol):
    """An `ObjectGroup` as its creator sees it."""

    def start_coordinator(self, make: Callable[[ObjectGroup], Any]) -> Callable[..., Any]:
        """Create an object that coordinates the others, where messages to them are fastest.

        `make` receives the group. Return a function that calls a method of the new object by name.
        """
        ...

    def close(self) -> None:
        """Release the objects."""
        ...


class LocalObject:
    """One object in this process."""

    def __init__(self, kept: Any) -> None:
        self.kept = kept

    def total(self, method: str, merge: Callable[[Any, Any], Any], *arguments: Any) -> Any:
        """Call a method of the object; the result needs no merging."""
        del merge
        return getattr(self.kept, method)(*arguments)

    def start_coordinator(self, make: Callable[[ObjectGroup], Any]) -> Callable[..., Any]:
        """Create the coordinator in this process."""
        return caller(make(self))

    def close(self) -> None:
        """Release the object."""
        self.kept = None


def caller(made: Any) -> Callable[..., Any]:
    """Return a function that calls methods by their names."""

    def call(method: str, *arguments: Any) -> Any:
        return getattr(made, method)(*arguments)

    return call


@runtime_checkable
class Parts(Protocol):
    """Rows in several parts, which `fit_chunks` accepts as well as an iterable of chunks."""

    @property
    def n_parts(self) -> int:
        """The number of parts."""
        ...

    def first(self, rows: int) -> "Parts | None":
        """Return the first parts with at least `rows` rows; None if the sizes are unknown."""
        ...

    def head(self, rows: int) -> Any:
        """Return the first rows, at most `rows`, of the first part that is not empty."""
        ...

    def n_rows(self) -> int:
        """Return the number of rows, counted in a pass if it is unknown."""
        ...

    def total(
        self,
        step: Callable[[list[Any], int, int], S],
        merge: Callable[[S, S], S],
        *,
        numbered: bool = False,
    ) -> S:
        """Run ``step(chunks, part, first row)`` for every part and merge the results in order.

        The first row is 0 unless `numbered`, because counting rows may take an extra pass.
        """
        ...

    def fold(self, step: Callable[[list[Any], int, int, S], S], state: S) -> S:
        """Run ``step(chunks, part, first row, state)`` over one part after the other."""
        ...

    def keep_on_workers(
        self, step: Callable[[list[Any], int, int], Any], gather: Callable[[list[Any]], Any]
    ) -> WorkerObjects:
        """Run ``step(chunks, part, 0)`` for every part and keep the results on their workers.

        On each worker `gather` combines the results into one object, which is kept until closed.
        """
        ...


def add(left: Any, right: Any) -> Any:
    """Merge numbers, arrays, or tuples of them, by adding."""
    if isinstance(left, tuple):
        return tuple(add(a, b) for a, b in zip(left, right, strict=True))
    return left + right


def largest(left: Any, right: Any) -> Any:
    """Merge arrays by their elementwise maximum."""
    return np.maximum(left, right)


def both(left: bool, right: bool) -> bool:
    """Merge conditions that must hold for all rows."""
    return left and right


def either(left: bool, right: bool) -> bool:
    """Merge conditions that must hold for some row."""
    return left or right


def appended(left: list[Any], right: list[Any]) -> list[Any]:
    """Merge lists by concatenation."""
    return [*left, *right]
