"""Once per native loop: Ctrl-C, fork, and two Python threads at once.

Each loop runs for several seconds when it is left alone.
"""

import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import os, signal, sys, threading, time, warnings
import numpy as np
import gramian

rng = np.random.default_rng(0)

def kmeans(n):
    gramian.KMeans(100, n_init=1000, max_iter=300, tol=0, random_state=0).fit(rng.random((n, 32)))

def kmeans_plusplus(n):
    for _ in range(50):
        gramian.cluster.kmeans_plusplus(rng.random((n, 32)), min(n, 500), random_state=0)

def brute(n):
    X, Q = rng.random((2, 4 * n, 64))
    gramian.NearestNeighbors(n_neighbors=5, algorithm="brute").fit(X).kneighbors(Q)

def kd_tree(n):
    X, Q = rng.random((2, 10 * n, 8))
    gramian.NearestNeighbors(n_neighbors=5, algorithm="kd_tree").fit(X).kneighbors(Q)

def radius(n):
    X, Q = rng.random((2, 4 * n, 16))
    gramian.NearestNeighbors(radius=0.5, algorithm="brute").fit(X).radius_neighbors(Q)

def kernel_sums(n):
    X, Q = rng.normal(size=(2, 5 * n, 6))
    gramian.KernelDensity(bandwidth=3.0).fit(X).score_samples(Q)

def logistic(n):
    X = rng.random((5 * n, 50))
    model = gramian.LogisticRegression(solver="gradient", tol=0, max_iter=2000)
    model.fit(X, rng.integers(0, 2, 5 * n))

def network(n):
    model = gramian.MLPRegressor(hidden_layer_sizes=(100,), tol=0, max_iter=100, random_state=0)
    warnings.simplefilter("ignore")
    model.fit(rng.random((5 * n, 50)), rng.random(5 * n))
"""
LOOPS = [
    "kmeans",
    "kmeans_plusplus",
    "brute",
    "kd_tree",
    "radius",
    "kernel_sums",
    "logistic",
    "network",
]


def run(code: str, timeout: float = 600) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("loop", LOOPS)
def test_ctrl_c_stops_it_within_a_second(loop):
    waited = run(
        f"""
        gramian.set_num_threads(2)
        sent = []
        def press():
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
        {loop}(200)                       # warm: threads started, code paged in
        threading.Timer(0.7, press).start()
        try:
            {loop}(20000)
        except KeyboardInterrupt:
            print(time.process_time() - sent[0])
        {loop}(200)                       # and the pool still works
        """
    )
    assert waited, "it ended before the key was pressed"
    assert float(waited) < 2.0  # of processor time, by two threads: other programs do not count


@pytest.mark.slow
@pytest.mark.parametrize("loop", LOOPS)
def test_a_forked_child_can_run_it_after_its_parent_did(loop):
    out = run(
        f"""
        gramian.set_num_threads(3)
        {loop}(300)
        child = os.fork()
        if child == 0:
            {loop}(300)
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert out == "7"


@pytest.mark.slow
@pytest.mark.parametrize("loop", LOOPS)
def test_two_python_threads_can_run_it_at_once(loop):
    out = run(
        f"""
        done = []
        threads = [threading.Thread(target=lambda: done.append({loop}(300))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(len(done))
        """
    )
    assert out == "2"
