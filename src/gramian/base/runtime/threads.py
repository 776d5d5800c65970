"""Number of threads of the native code.

The results do not depend on it. The first of these that is set determines it: ``n_jobs`` of an
estimator, ``set_num_threads`` or ``threadpool_limits``, the environment variable
``GRAMIAN_NUM_THREADS``. By default it is the smallest of the number of processors that this process
may use, the cgroup's quota and ``OMP_NUM_THREADS``.
"""

import os
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from numbers import Integral
from threading import RLock
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
        At least 1; it may exceed the number of processors. Numbers above 64, or above four per
        processor if that is more, are lowered to that limit.

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
    """Run native code inside the context with ``n_jobs`` threads.

    None and -1 mean the pool's size, -2 one thread less, and so on, but at least one.
    """
    if n_jobs is not None and n_jobs > _MOST:
        raise ParameterError(
            f"n_jobs must be below 2^31; got {n_jobs!r}. Use -1 for all processors."
        )
    before = None
    try:  # even if an interrupt follows the first line
        before = _native.swap_thread_request(n_jobs if n_jobs is not None and n_jobs > 0 else 0)
        if n_jobs is not None and n_jobs < -1:
            _native.swap_thread_request(max(1, _native.num_threads() + 1 + n_jobs))
        yield
    finally:
        if before is not None:
            _native.swap_thread_request(before)


def jobs_for(n_jobs: int | None, tasks: int) -> int | None:
    """Return `n_jobs`, but no more than there are tasks: joblib rejects numbers above a million.

    Examples
    --------
    >>> jobs_for(2**31 - 1, 10), jobs_for(2, 10), jobs_for(-1, 10), jobs_for(None, 10)
    (10, 2, -1, None)
    """
    return n_jobs if n_jobs is None or n_jobs < 1 else min(n_jobs, max(tasks, 1))


def one_blas_thread() -> AbstractContextManager[None]:
    """Return a context in which BLAS has one thread, in the whole process.

    For steps that alternate between small factorisations and our own passes: BLAS threads that wait
    for their next call take processors from our threads, and on a busy machine the factorisation
    of a few hundred columns then takes seconds instead of milliseconds.
    """
    return _Hold()


class _Hold:
    """Limits BLAS to one thread from entry to exit, or until it is deleted."""

    __slots__ = ("__weakref__",)

    def __enter__(self) -> None:
        _blas.hold(self)

    def __exit__(self, *_: object) -> None:
        _blas.release(self)


class _BlasThreads:
    """Limits BLAS to one thread while it is held; the last release restores the previous number.

    An interrupt may end `hold` or `release` at any line. So the holders are weak references: a hold
    that was not released ends with the frame that created it. And `_apply` computes the state of
    BLAS from the holders, which completes an interrupted call.
    """

    def __init__(self) -> None:
        self._lock = RLock()  # a weak reference may call back while its thread has the lock
        self._holders: set[weakref.ref[_Hold]] = set()
        self._libraries: list[Any] | None = None
        self._before: list[tuple[Any, int]] = []  # libraries with their thread counts, while held

    def hold(self, holder: _Hold) -> None:
        """Add a holder."""
        self._holders.add(weakref.ref(holder, self._forget))
        self._apply()

    def release(self, holder: _Hold) -> None:
        """Remove a holder."""
        self._apply(leaving=weakref.ref(holder))

    def start_over(self) -> None:
        """Reset the lock and the holders in a forked child, where only the forking thread exists.

        The next release restores the threads of the libraries.
        """
        self._lock = RLock()
        self._holders.clear()

    def _forget(self, holder: weakref.ref[_Hold]) -> None:
        self._apply(leaving=holder)

    def _apply(self, leaving: weakref.ref[_Hold] | None = None) -> None:
        """Set each library to one thread if others hold it, else to its previous number."""
        lock = self._lock
        if not lock.acquire(timeout=2.0):  # an interrupt left it locked: start with a new one
            lock = self._lock = RLock()
            lock.acquire()
        try:
            if self._libraries is None:  # a search that takes milliseconds
                blas = threadpoolctl.ThreadpoolController().select(user_api="blas")
                self._libraries = blas.lib_controllers
            if self._holders - {leaving}:
                if not self._before:
                    self._before = [(library, library.num_threads) for library in self._libraries]
                for library, _ in self._before:
                    if library.num_threads != 1:
                        library.set_num_threads(1)
            else:
                for library, threads in self._before:
                    library.set_num_threads(threads)
                self._before = []
            self._holders.discard(leaving)
        finally:
            lock.release()


_blas = _BlasThreads()
if hasattr(os, "register_at_fork"):  # not on Windows
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
