"""The pool's size and who may set it."""

import gc
import os
import subprocess
import sys
import threading
import warnings

import pytest
import threadpoolctl

import gramian
from gramian.base.errors import ParameterError
from gramian.base.runtime import threads
from gramian.base.runtime.threads import one_blas_thread, threads_for
from tests.contract.interrupts import interrupt_line


def size_in_a_new_process(**environment: str) -> int:
    clean = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", "import gramian; print(gramian.get_num_threads())"],
        env=clean | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def test_the_environment_sets_the_size():
    assert size_in_a_new_process(GRAMIAN_NUM_THREADS="7") == 7
    assert size_in_a_new_process(OMP_NUM_THREADS="1") == 1
    assert size_in_a_new_process(GRAMIAN_NUM_THREADS="5", OMP_NUM_THREADS="1") == 5
    most = max(64, 4 * len(os.sched_getaffinity(0)))
    assert size_in_a_new_process(GRAMIAN_NUM_THREADS="99999999999") == most


def test_by_default_the_size_is_at_most_the_processors_of_this_process():
    assert 1 <= size_in_a_new_process() <= len(os.sched_getaffinity(0))
    assert size_in_a_new_process(OMP_NUM_THREADS="1000") <= len(os.sched_getaffinity(0))


def test_an_affinity_of_one_processor_gives_one_thread():
    code = (
        "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
        "import gramian; print(gramian.get_num_threads())"
    )
    clean = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "1"


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True, None])
def test_a_wrong_number_of_threads_is_refused(threads):
    with pytest.raises(ValueError, match="threads must be an integer >= 1, below"):
        gramian.set_num_threads(threads)


def test_threadpoolctl_sees_and_limits_the_pool():
    gramian.set_num_threads(2)
    mine = [lib for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "gramian"]
    assert [lib["num_threads"] for lib in mine] == [2]
    with threadpoolctl.threadpool_limits(1):
        assert gramian.get_num_threads() == 1
    assert gramian.get_num_threads() == 2


def test_n_jobs_applies_to_this_thread_only():
    gramian.set_num_threads(2)
    seen = []
    with threads_for(5):
        other = threading.Thread(target=lambda: seen.append(gramian.get_num_threads()))
        other.start()
        other.join()
        assert gramian.get_num_threads() == 5
        with threads_for(-1):
            assert gramian.get_num_threads() == 2
        with threads_for(-2):
            assert gramian.get_num_threads() == 1
        with threads_for(-9):
            assert gramian.get_num_threads() == 1
    assert seen == [2]
    assert gramian.get_num_threads() == 2


def test_the_versions_name_what_matters(capsys):
    gramian.show_versions()
    text = capsys.readouterr().out
    for word in ("gramian", gramian.__version__, "scikit-learn", "instruction set", "threads"):
        assert word in text


@pytest.mark.parametrize("isa", ["plain", "v2", "v3"])
def test_the_instruction_set_can_be_forced(isa):
    code = "from gramian import _native; print(_native.isa())"
    env = os.environ | {"GRAMIAN_ISA": isa}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    if done.returncode:
        assert "GRAMIAN_ISA must be one of" in done.stderr  # not a set of this machine
    else:
        assert done.stdout.strip() == isa


def test_an_unknown_instruction_set_is_refused():
    code = "from gramian import _native; print(_native.isa())"
    env = os.environ | {"GRAMIAN_ISA": "mmx"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode != 0
    assert "got 'mmx'" in done.stderr


def blas_threads():
    libraries = threadpoolctl.threadpool_info()
    return {lib["num_threads"] for lib in libraries if lib["user_api"] == "blas"}


def test_blas_gets_its_threads_back_from_the_last_of_many_holders():
    """Two that overlap: the second to enter must not take 1 for what there was before."""
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        first, second = one_blas_thread(), one_blas_thread()
        first.__enter__()
        assert blas_threads() == {1}
        second.__enter__()
        first.__exit__(None, None, None)
        assert blas_threads() == {1}
        second.__exit__(None, None, None)
        assert blas_threads() == {2}
        with pytest.raises(KeyError), one_blas_thread():
            raise KeyError
        assert blas_threads() == {2}


def interrupted_at_every_line(use):
    """Yield after each of the calls, which Ctrl-C ends one line later than the one before."""
    gc.disable()  # a finalizer cannot be interrupted
    try:
        for at in range(1, 600):
            if not interrupt_line(use, at)[0]:
                return
            yield at
        raise AssertionError("the call has no end")
    finally:
        gc.enable()


def test_an_interrupt_at_any_line_leaves_blas_its_threads():
    def hold():
        with one_blas_thread(), one_blas_thread():
            pass

    hold()  # finds the libraries
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        for at in interrupted_at_every_line(hold):
            assert blas_threads() == {2}, at
        assert at > 20


def test_an_unreleased_hold_ends_with_its_owner():
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        held = one_blas_thread()
        held.__enter__()
        assert blas_threads() == {1}
        del held
        assert blas_threads() == {2}


def test_an_interrupt_on_the_way_in_leaves_the_request_for_threads():
    entered = []

    def request():
        with threads_for(1):
            entered.append(True)

    before = gramian.get_num_threads()
    gramian.set_num_threads(3)
    for at in interrupted_at_every_line(request):
        if entered:
            break
        assert gramian.get_num_threads() == 3, at
    assert at > 5
    gramian.set_num_threads(before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_drops_the_holds_of_other_threads():
    with threadpoolctl.threadpool_limits(2, user_api="blas"), one_blas_thread():
        assert in_child(lambda: not threads._blas._holders)
        assert blas_threads() == {1}


def in_child(check):
    """Return whether a function is true in a forked child."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork of a process with threads
        child = os.fork()
    if child == 0:
        os._exit(0 if check() else 1)
    return os.waitpid(child, 0)[1] == 0


def test_numbers_beyond_31_bits_are_refused():
    before = gramian.get_num_threads()
    with pytest.raises(ParameterError, match=r"set_num_threads: threads must .* below 2\^31"):
        gramian.set_num_threads(2**31)
    with pytest.raises(ParameterError, match=r"n_jobs must be below 2\^31"), threads_for(2**31):
        pass
    assert gramian.get_num_threads() == before


MANY_THREADS = """
import os
import numpy as np
import gramian
from gramian.base.runtime.blas import bands, run_in_parallel
from gramian.base.runtime.threads import threads_for
rows = np.random.default_rng(0).normal(size=(300_000, 4))
before = len(os.listdir("/proc/self/task"))
for n_jobs in (1_000, 2**31 - 1):
    model = gramian.KNeighborsRegressor(n_jobs=n_jobs).fit(rows, rows[:, 0])
    model.predict(rows)
    with threads_for(n_jobs):  # threads of Python
        run_in_parallel(1e12, lambda part: None, bands(300 * 512, size=512))
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts the threads of Linux")
def test_a_huge_n_jobs_starts_a_limited_number_of_threads():
    """They would stay until the process ends."""
    done = subprocess.run(
        [sys.executable, "-c", MANY_THREADS], capture_output=True, text=True, check=True
    )
    most = max(64, 4 * len(os.sched_getaffinity(0)))
    assert 2 <= int(done.stdout) < 2 * most + 2 * (os.cpu_count() or 1) + 8  # native, Python, BLAS


FIT_WHEN_PYTHON_ENDS = """
import threading, time
import numpy as np
import gramian

X = np.random.default_rng(0).normal(size=(20_000, 20))
models = {
    "kmeans": lambda: gramian.KMeans(50, n_init=1, random_state=0).fit(X),
    "forest": lambda: gramian.RandomForestRegressor(20, random_state=0).fit(X, X[:, 0]),
    "neighbours": lambda: gramian.NearestNeighbors(algorithm="brute").fit(X).kneighbors(X),
}

fitted_once = threading.Event()

def without_end(fit):
    while True:
        fit()
        fitted_once.set()

class SlowEnd:  # the thread asks for the lock while Python ends
    def __del__(self, sleep=time.sleep):
        sleep(0.5)

slow_end = SlowEnd()
thread = threading.Thread(target=without_end, args=(models[{name!r}],), daemon=True)
thread.start()
print(fitted_once.wait(60))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kmeans", "forest", "neighbours"])
def test_python_may_end_while_another_thread_fits(name):
    code = FIT_WHEN_PYTHON_ENDS.replace("{name!r}", repr(name))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
