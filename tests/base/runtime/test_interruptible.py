"""Long calls that Ctrl-C leaves: the same answers, the caller's errors, and an orderly exit."""

import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from gramian.base.runtime import interruptible


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


@pytest.mark.slow
def test_ctrl_c_leaves_a_long_call_and_the_exit_waits_for_it():
    process = child(LEAVE.format(seconds=6))
    out, err = process.communicate(timeout=120)
    assert out == "left True\n", err
    assert process.returncode == 0
    assert "waiting for an interrupted computation" in err


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
