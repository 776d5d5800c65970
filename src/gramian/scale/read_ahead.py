"""Read ahead: threads read the next chunks while the current one is processed."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from gramian import _native

T = TypeVar("T")


def read_ahead(read: Callable[[int], T], parts: Iterable[int], depth: int = 2) -> Iterator[T]:
    """Yield the result of `read` for each part, in order, while the next parts are being read.

    At most `depth` parts are read ahead, each by one thread, which leaves the other threads to the
    computation.

    Examples
    --------
    >>> list(read_ahead(lambda part: part**2, range(4)))
    [0, 1, 4, 9]
    """
    left = iter(parts)
    with ThreadPoolExecutor(
        depth, initializer=_native.swap_thread_request, initargs=(1,)
    ) as readers:
        coming = deque(readers.submit(read, part) for part in islice(left, depth))
        while coming:
            found = coming.popleft().result()
            coming.extend(readers.submit(read, part) for part in islice(left, 1))
            yield found
            del found  # free it before waiting for the next one
