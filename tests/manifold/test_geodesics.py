"""Shortest paths against SciPy's, to the bit."""

import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

import gramian
from gramian.manifold.geodesics import geodesic_distances
from gramian.neighbors import kneighbors_graph


@pytest.fixture(scope="module")
def graph():
    X = np.random.default_rng(0).normal(size=(300, 3))
    X[1] = X[0]  # an edge of length 0
    return sp.csr_array(kneighbors_graph(X, 4, mode="distance"))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_paths_match_scipy(graph, threads):
    gramian.set_num_threads(threads)
    expected = dijkstra(graph, directed=False)
    np.testing.assert_array_equal(geodesic_distances(graph), expected)


def test_vertices_without_a_path_are_infinitely_far():
    apart = sp.csr_array(np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    found = geodesic_distances(apart)
    assert found.tolist() == [[0, 2, np.inf], [2, 0, np.inf], [np.inf, np.inf, 0]]


def test_the_shorter_of_two_directions_counts():
    both = sp.csr_array(np.array([[0.0, 5.0], [3.0, 0.0]]))
    assert geodesic_distances(both).tolist() == [[0, 3], [3, 0]]


def test_other_threads_run_meanwhile():
    """The longest pause of another thread is short beside the paths, which held the GIL before."""
    X = np.random.default_rng(0).normal(size=(1500, 5))
    edges = sp.csr_array(kneighbors_graph(X, 10, mode="distance"))
    stop, pauses = threading.Event(), []

    def tick():
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            pauses.append(now - last)
            last = now

    clock = threading.Thread(target=tick)
    clock.start()
    start = time.perf_counter()
    geodesic_distances(edges)
    took = time.perf_counter() - start
    stop.set()
    clock.join()
    assert len(pauses) > 10
    assert max(pauses) < 0.5 * took
