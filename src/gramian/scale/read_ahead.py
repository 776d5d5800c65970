"""Reading and working at once: one thread reads a chunk while the one before is worked on."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from gramian import _native

T = TypeVar("T")


def read_ahead(read: Callable[[int], T], parts: Iterable[int]) -> Iterator[T]:
    """Yield what `read` returns for each part, in order; the next one is read meanwhile.

    One part is read ahead, not more, and with one thread, so that the threads of the core are left
    to the work.

    Examples
    --------
    >>> list(read_ahead(lambda part: part**2, range(4)))
    [0, 1, 4, 9]
    """
    left = iter(parts)
    with ThreadPoolExecutor(1, initializer=_native.swap_thread_request, initargs=(1,)) as reader:
        part = next(left, None)
        coming = None if part is None else reader.submit(read, part)
        while coming is not None:
            found = coming.result()
            part = next(left, None)
            coming = None if part is None else reader.submit(read, part)
            yield found
            del found  # before the next one is waited for
