"""Rows spread over the workers of a cluster or over parts of a file.

Every fit beyond memory is made of passes, and a pass is one sentence: run a step over the chunks
of each part, where they are, and merge what the steps return, in the order of the rows,

    S = merge(...merge(merge(s_1, s_2), s_3)..., s_m),    s_j = step(chunks of part j).

Only the summaries s_j travel, never the rows. How the merges are grouped depends on the number of
parts alone, not on who works on them, so the answer does not depend on the workers in any bit. A
fit that would read the rows hundreds of times holds what it needs of them in each place, and calls
these objects.
`gramian.scale` has the parts that Dask computes; chunks that one process reads are one part.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

S = TypeVar("S")


class PlaceLostError(RuntimeError):
    """An object that was held with its rows is gone; hold them again."""


class Places(Protocol):
    """Objects that stay where rows are, one in each place, asked as one."""

    def total(self, method: str, merge: Callable[[Any, Any], Any], *arguments: Any) -> Any:
        """Call a method of every object at once and merge the answers, in any order.

        Raise `PlaceLostError` if one is gone.
        """
        ...


class Held(Places, Protocol):
    """The same, from where they were made."""

    def lead(self, make: Callable[[Places], Any]) -> Callable[..., Any]:
        """Make an object that works with the held ones, where messages to them are quickest.

        `make` gets what it may ask. Returned is a function that calls a method, given by its name,
        of the object made.
        """
        ...

    def close(self) -> None:
        """Release the objects."""
        ...


class HeldHere:
    """One object in this process."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def total(self, method: str, merge: Callable[[Any, Any], Any], *arguments: Any) -> Any:
        """Call a method of the object; the result needs no merging."""
        del merge
        return getattr(self.held, method)(*arguments)

    def lead(self, make: Callable[[Places], Any]) -> Callable[..., Any]:
        """Make an object here."""
        return caller(make(self))

    def close(self) -> None:
        """Release the object."""
        self.held = None


def caller(made: Any) -> Callable[..., Any]:
    """Return a function that calls methods by their names."""

    def call(method: str, *arguments: Any) -> Any:
        return getattr(made, method)(*arguments)

    return call


@runtime_checkable
class Parts(Protocol):
    """What `fit_chunks` takes beside an iterable of chunks."""

    @property
    def n_parts(self) -> int:
        """The number of parts."""
        ...

    def first(self, rows: int) -> "Parts | None":
        """Return the first parts, with so many rows at least; None where sizes are not known."""
        ...

    def head(self, rows: int) -> Any:
        """Return the first rows, at most `rows`, of the first part that is not empty."""
        ...

    def n_rows(self) -> int:
        """Return the number of rows; where it is not known, by a pass."""
        ...

    def total(
        self,
        step: Callable[[list[Any], int, int], S],
        merge: Callable[[S, S], S],
        *,
        numbered: bool = False,
    ) -> S:
        """Run ``step(chunks, part, first row)`` for every part and merge the results in order.

        The first row is 0 unless `numbered`, because counting rows may take a pass of its own.
        """
        ...

    def fold(self, step: Callable[[list[Any], int, int, S], S], state: S) -> S:
        """Run ``step(chunks, part, first row, state)`` over one part after the other."""
        ...

    def hold(
        self, step: Callable[[list[Any], int, int], Any], gather: Callable[[list[Any]], Any]
    ) -> Held:
        """Run ``step(chunks, part, 0)`` for every part and keep the results where they are.

        In each place `gather` makes one object of its results, which answers until it is closed.
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
