"""Long calls into LAPACK that Ctrl-C can interrupt.

LAPACK cannot be stopped, and Python checks for Ctrl-C only between its own instructions, so the
factorisation of a large matrix would keep the user waiting. A long call therefore runs in a thread
with its own arrays, and Ctrl-C interrupts only the wait for its result. The thread then finishes in
the background, and the process waits for it at exit, since LAPACK still uses the memory.
"""

import atexit
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any, ParamSpec, TypeVar

LONG = 1e9  # operations, about a tenth of a second; below, a separate thread is not worthwhile

PROGRAM = 1e4  # operations that HiGHS does, very roughly, for an entry of a linear program's matrix

_P = ParamSpec("_P")
_T = TypeVar("_T")
_running: set[threading.Thread] = set()


def is_long(work: float) -> bool:
    """Return whether this many operations take long, in the thread that Ctrl-C interrupts."""
    return work >= LONG and threading.current_thread() is threading.main_thread()


def interruptible(
    work: float, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """Return function(*args, **kwargs); Ctrl-C interrupts long calls.

    `work` is about the number of arithmetic operations. The function must release the GIL while
    it runs, as NumPy's do, and no other thread may write to its arrays.

    Examples
    --------
    >>> interruptible(1e12, pow, 2, 10)
    1024
    """
    if not is_long(work):
        return function(*args, **kwargs)
    answer: Future[_T] = Future()
    context = copy_context()  # for example NumPy's errstate

    def run() -> None:
        try:
            answer.set_result(context.run(function, *args, **kwargs))
        except BaseException as error:  # raised again in the caller
            answer.set_exception(error)
        finally:
            _running.discard(thread)

    thread = threading.Thread(target=run, name="gramian: a long call", daemon=True)
    _running.add(thread)
    try:
        thread.start()
    except RuntimeError:  # no thread is available
        _running.discard(thread)
        return function(*args, **kwargs)
    return answer.result()


@atexit.register
def _wait_for_the_rest() -> None:
    """Wait for interrupted calls to end; if it takes long, say so; Ctrl-C ends the process."""
    announced = False
    try:
        for thread in list(_running):
            if not thread.is_alive():  # never started, or the parent's of this forked child
                continue
            thread.join(1.0)
            if thread.is_alive() and not announced:
                announced = True
                _say("waiting for an interrupted computation to end; Ctrl-C exits without it.")
            while thread.is_alive():
                thread.join(1.0)
    except KeyboardInterrupt:
        sys.stdout.flush()
        _say("exited before the computation ended.")
        os._exit(130)  # a normal exit would free memory that the thread still uses


def _say(what: str) -> None:
    stream: Any = sys.stderr
    if stream is not None:
        print(f"gramian: {what}", file=stream, flush=True)
