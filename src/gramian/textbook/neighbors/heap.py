"""The binary heap: a priority queue for the smallest or the largest item."""

from collections.abc import Iterable
from typing import Any, Generic, Protocol, TypeVar

from gramian.base.errors import DataError


class Comparable(Protocol):
    """A type whose values can be compared with ``<``."""

    def __lt__(self, other: Any, /) -> bool: ...


Item = TypeVar("Item", bound=Comparable)


class BinaryHeap(Generic[Item]):
    """A priority queue in an array; each parent comes before its two children.

    The children of index i are at 2i + 1 and 2i + 2, so the first item is the smallest, or with
    `largest` the largest. A new item moves up from the end while it is before its parent; when the
    top is removed, the last item takes its place and moves down. Cormen, Leiserson, Rivest and
    Stein 2009, chapter 6.

    Neighbour searches use both: a max-heap of the k nearest points so far, whose top is the
    farthest, and a min-heap of boxes by distance, whose top is visited next.

    Parameters
    ----------
    items : iterable
        Initial items, of any ordered type; heapified in O(n).
    largest : bool
        Whether the largest item is on top (a max-heap) or the smallest (a min-heap).

    Examples
    --------
    >>> from gramian.textbook.neighbors import BinaryHeap
    >>> nearest = BinaryHeap([4.0, 9.0, 1.0], largest=True)
    >>> nearest.peek(), nearest.replace(2.0), nearest.peek(), len(nearest)
    (9.0, 9.0, 4.0, 3)
    >>> queue = BinaryHeap()
    >>> for box in [(3.5, "far"), (0.5, "near")]:
    ...     queue.push(box)
    >>> queue.pop()
    (0.5, 'near')
    """

    def __init__(self, items: Iterable[Item] = (), *, largest: bool = False) -> None:
        self.largest = largest
        self._items = list(items)
        for place in reversed(range(len(self._items) // 2)):
            self._sift_down(place)

    def __len__(self) -> int:
        return len(self._items)

    def peek(self) -> Item:
        """Return the top, O(1)."""
        return self._top("peek")

    def push(self, item: Item) -> None:
        """Add an item, O(log n)."""
        self._items.append(item)
        self._sift_up(len(self._items) - 1)

    def pop(self) -> Item:
        """Remove the top and return it, O(log n)."""
        top, last = self._top("pop"), self._items.pop()
        if self._items:
            self._items[0] = last
            self._sift_down(0)
        return top

    def replace(self, item: Item) -> Item:
        """Replace the top with an item and return the old top, O(log n)."""
        top = self._top("replace")
        self._items[0] = item
        self._sift_down(0)
        return top

    def _before(self, a: Item, b: Item) -> bool:
        return b < a if self.largest else a < b

    def _sift_up(self, place: int) -> None:
        items, parent = self._items, (place - 1) // 2
        while place > 0 and self._before(items[place], items[parent]):
            items[place], items[parent] = items[parent], items[place]
            place, parent = parent, (parent - 1) // 2

    def _sift_down(self, place: int) -> None:
        items = self._items
        while (child := 2 * place + 1) < len(items):
            if child + 1 < len(items) and self._before(items[child + 1], items[child]):
                child += 1
            if not self._before(items[child], items[place]):
                return
            items[place], items[child] = items[child], items[place]
            place = child

    def _top(self, method: str) -> Item:
        if not self._items:
            raise DataError(f"BinaryHeap.{method}: the heap must not be empty; push an item first.")
        return self._items[0]
