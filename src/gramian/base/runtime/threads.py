"""How many threads the native steps use.

The results do not depend on it. An explicit request wins: ``n_jobs`` of an estimator, then
``set_num_threads`` or ``threadpool_limits``, then the environment variable
``GRAMIAN_NUM_THREADS``; without one it is the least of the processors this process may use, the
cgroup's quota and ``OMP_NUM_THREADS``.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from threading import Lock
from typing import Any

import threadpoolctl

from gramian import _native
from gramian.base.errors import ParameterError

_MOST = 2**31 - 1


def set_num_threads(threads: int) -> None:
    """Set the number of threads of gramian's pool, for the whole process.

    Parameters
    ----------
    threads
        At least 1; it may exceed the number of processors.

    Examples
    --------
    >>> import gramian
    >>> before = gramian.get_num_threads()
    >>> gramian.set_num_threads(1)
    >>> gramian.get_num_threads()
    1
    >>> gramian.set_num_threads(before)
    """
    whole = isinstance(threads, Integral) and not isinstance(threads, bool)
    if not whole or not 1 <= int(threads) <= _MOST:
        raise ParameterError(
            f"set_num_threads: threads must be an integer >= 1, below 2^31; got {threads!r}."
        )
    _native.set_pool_size(int(threads))


def get_num_threads() -> int:
    """Return the number of threads that the next fit of this thread may use.

    Examples
    --------
    >>> import gramian
    >>> gramian.get_num_threads() >= 1
    True
    """
    return _native.num_threads()


@contextmanager
def threads_for(n_jobs: int | None) -> Iterator[None]:
    """Run the native steps inside with ``n_jobs`` threads.

    None and -1 mean the pool's size, -2 one thread less, and so on, but at least one.
    """
    if n_jobs is not None and n_jobs > _MOST:
        raise ParameterError(f"n_jobs must be below 2^31; got {n_jobs!r}. For all processors: -1.")
    before = _native.swap_thread_request(n_jobs if n_jobs is not None and n_jobs > 0 else 0)
    if n_jobs is not None and n_jobs < -1:
        _native.swap_thread_request(max(1, _native.num_threads() + 1 + n_jobs))
    try:
        yield
    finally:
        _native.swap_thread_request(before)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Run what is inside with one thread of BLAS, in the whole process.

    For steps that alternate between small factorisations and passes of our own: threads of BLAS
    that wait for their next call keep processors from ours, and on a busy machine a factorisation
    of some hundred columns takes seconds, not milliseconds, until all of them had their turn.
    """
    _blas.hold()
    try:
        yield
    finally:
        _blas.release()


class _BlasThreads:
    """BLAS has one thread while anyone holds it; the last to release gives back what it had."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders = 0
        self._libraries: threadpoolctl.ThreadpoolController | None = None
        self._limit: Any = None

    def hold(self) -> None:
        with self._lock:
            if self._libraries is None:  # a search that takes milliseconds
                self._libraries = threadpoolctl.ThreadpoolController().select(user_api="blas")
            if self._holders == 0:
                self._limit = self._libraries.limit(limits=1)
            self._holders += 1

    def release(self) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders == 0:
                self._limit.restore_original_limits()

    def start_over(self) -> None:
        """Give a forked child a lock that no thread of its parent holds."""
        self._lock = Lock()


_blas = _BlasThreads()
os.register_at_fork(after_in_child=_blas.start_over)


class _PoolController(threadpoolctl.LibController):
    """Shows the pool to threadpoolctl, and through it to joblib."""

    user_api = "gramian"
    internal_api = "gramian"
    filename_prefixes = ("_native",)
    check_symbols = ("gramian_get_num_threads", "gramian_set_num_threads")

    def get_num_threads(self) -> int | None:
        function = getattr(self.dynlib, "gramian_get_num_threads", None)
        return None if function is None else int(function())

    def set_num_threads(self, num_threads: int) -> None:
        function = getattr(self.dynlib, "gramian_set_num_threads", None)
        if function is not None:
            function(num_threads)

    def get_version(self) -> None:
        return None


threadpoolctl.register(_PoolController)
