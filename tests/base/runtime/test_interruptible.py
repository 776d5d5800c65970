"""Long calls that Ctrl-C leaves: the same answers, the caller's errors, and an orderly exit."""

import ctypes
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from gramian.base.runtime import interruptible, lapack

RNG = np.random.default_rng(0)
TALL = RNG.standard_normal((60, 25))
GRAM = TALL.T @ TALL
ROOT = np.linalg.cholesky(GRAM)
RIGHT = RNG.standard_normal((60, 3))
CALLS = {
    "svd": lambda: lapack.svd(TALL),
    "svd of few rows": lambda: lapack.svd(TALL.T),
    "svdvals": lambda: (lapack.svdvals(TALL),),
    "orth": lambda: (lapack.orth(np.hstack([TALL, TALL])),),
    "eigh": lambda: lapack.eigh(GRAM),
    "eigvalsh": lambda: (lapack.eigvalsh(GRAM),),
    "cholesky": lambda: lapack.cholesky(GRAM),
    "cholesky of the upper half": lambda: lapack.cholesky(GRAM, lower=False),
    "cholesky that fails": lambda: (lapack.cholesky(-GRAM)[1],),
    "inverse": lambda: (lapack.inverse_of_lower(ROOT),),
    "solve": lambda: (lapack.solve_by_cholesky(ROOT, GRAM[:, :3]),),
    "solve for one": lambda: (lapack.solve_by_cholesky(ROOT.T, GRAM[0], lower=False),),
    "lstsq": lambda: lapack.lstsq(TALL, RIGHT, 1e-15),
    "lstsq of few rows": lambda: lapack.lstsq(TALL.T, RIGHT[:25, 0], 1e-15),
    "product": lambda: (lapack.product(TALL, GRAM),),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_long_call_gives_the_same_bits_as_scipys(call, monkeypatch):
    short = CALLS[call]()
    threads = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda t: (threads.append(t), start(t)))
    monkeypatch.setattr(interruptible, "LONG", 0)
    long = CALLS[call]()
    assert threads, "it was called in the caller's thread"
    assert len(short) == len(long)
    for a, b in zip(short, long, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "signature",
    [b"void (char *, __pyx_t_lapack_blas_int *, double *)", b"void (char *, int64_t *, double *)"],
)
def test_a_lapack_that_counts_in_64_bits_is_left_to_scipy(signature, monkeypatch):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    table = {"dpotrf": new(1, signature, None)}
    monkeypatch.setattr(lapack.cython_lapack, "__pyx_capi__", table)
    assert lapack._address.__wrapped__("dpotrf") is None


def test_a_workspace_beyond_32_bits_is_refused():
    for size in (2.0**31, -5.0):
        with pytest.raises(ValueError, match="too large for LAPACK"):
            lapack._workspace(size)


def test_short_calls_and_other_threads_stay_where_they_are():
    def here(thread):
        return threading.current_thread() is thread

    assert interruptible.interruptible(1.0, here, threading.current_thread())
    found = []

    def elsewhere():
        found.append(interruptible.interruptible(1e12, here, threading.current_thread()))

    other = threading.Thread(target=elsewhere)
    other.start()
    other.join()
    assert found == [True]


def test_errors_and_error_states_are_those_of_the_caller():
    with pytest.raises(ValueError, match="invalid literal"):
        interruptible.interruptible(1e12, int, "one")
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        interruptible.interruptible(1e12, np.divide, np.ones(1), np.zeros(1))


LEAVE = """
import os, signal, sys, threading, time
from gramian.base.runtime.interruptible import interruptible

begun = threading.Event()
def work(seconds):
    begun.set()
    time.sleep(seconds)

def press():
    begun.wait()
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press).start()
before = time.monotonic()
try:
    interruptible(1e12, work, {seconds})
except KeyboardInterrupt:
    print("left", time.monotonic() - before < {seconds} / 2, flush=True)
"""


def child(code):
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_ctrl_c_leaves_a_long_call_and_the_exit_waits_for_it():
    process = child(LEAVE.format(seconds=6))
    out, err = process.communicate(timeout=120)
    assert out == "left True\n", err
    assert process.returncode == 0
    assert "waiting for a computation that Ctrl-C left" in err


def test_a_second_ctrl_c_ends_the_wait_at_the_exit():
    with child(LEAVE.format(seconds=600)) as process:
        assert process.stdout.readline() == "left True\n"
        assert "waiting" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130


def test_a_forked_child_does_not_wait_for_its_parents_call():
    code = """
    child = os.fork()
    if child == 0:
        sys.exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    os._exit(0)
    """
    process = child(LEAVE.format(seconds=600) + textwrap.dedent(code))
    out, err = process.communicate(timeout=60)
    assert out == "left True\n7\n", err
