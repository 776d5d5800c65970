"""The line, the slabs, the space partition and the cells agree with an exhaustive search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import Voronoi

from gramian import (
    BSPTree,
    KDTree,
    SortedLine,
    VoronoiSlabs,
    cell_half_spaces,
    in_voronoi_cell,
    most_voronoi_vertices,
    voronoi_edges,
)
from gramian.neighbors import BinaryHeap

EIGHTHS = st.integers(-16, 16).map(lambda v: v / 8)


def planar(most):
    return arrays(np.float64, st.tuples(st.integers(1, most), st.just(2)), elements=EIGHTHS)


def is_nearest(points, queries, indices):
    least, _ = KDTree(points).query(queries)
    chosen = np.linalg.norm(queries - points[indices], axis=1)
    np.testing.assert_allclose(chosen, least[:, 0], rtol=1e-9, atol=1e-12)


@given(arrays(np.float64, st.integers(1, 30), elements=EIGHTHS), EIGHTHS, st.integers(1, 6))
def test_neighbours_on_a_line(x, q, k):
    k = min(k, len(x))
    distances, indices = SortedLine(x).query(q, k)
    np.testing.assert_array_equal(distances, np.sort(np.abs(x - q))[:k])
    np.testing.assert_array_equal(np.abs(x[indices] - q), distances)
    assert len(set(indices.tolist())) == k


def test_a_line_says_what_it_cannot_take():
    with pytest.raises(ValueError, match="one-dimensional"):
        SortedLine([[1.0]])
    with pytest.raises(ValueError, match="NaN"):
        SortedLine([np.nan])
    with pytest.raises(ValueError, match="between 1 and 2"):
        SortedLine([1.0, 2.0]).query(0.0, 3)
    with pytest.raises(ValueError, match="finite"):
        SortedLine([1.0]).query(np.nan)


@given(planar(9), arrays(np.float64, (12, 2), elements=EIGHTHS))
def test_slabs_find_the_nearest_point_on_a_lattice(points, queries):
    """Ties, equal points, points on a line and vertical edges included."""
    is_nearest(points, queries, VoronoiSlabs(points).locate_all(queries))


def test_slabs_find_the_nearest_of_many_points(rng):
    points, queries = rng.normal(size=(40, 2)), 2 * rng.normal(size=(500, 2))
    slabs = VoronoiSlabs(points)
    is_nearest(points, queries, slabs.locate_all(queries))
    assert len(slabs.slabs) == len(slabs.breaks) + 1
    assert max(map(len, slabs.slabs)) < len(points)


def test_edges_are_the_ridges_of_scipy(rng):
    points = rng.normal(size=(30, 2))
    edges, other = voronoi_edges(points), Voronoi(points)
    mine = {frozenset((edge.below, edge.above)) for edge in edges}
    assert mine == {frozenset(pair) for pair in other.ridge_points.tolist()}
    ends = [e.middle + t * e.along for e in edges for t in (e.start, e.end) if np.isfinite(t)]
    apart = np.linalg.norm(np.array(ends)[:, None] - other.vertices[None], axis=2)
    assert apart.min(axis=1).max() < 1e-6
    assert apart.min(axis=0).max() < 1e-6


def test_points_on_edges_are_equally_near_to_both_sites(rng):
    points = rng.normal(size=(15, 2))
    for edge in voronoi_edges(points):
        start, end = np.clip([edge.start, edge.end], -5, 5)
        at = edge.middle + (start + end) / 2 * edge.along
        away = np.linalg.norm(points - at, axis=1)
        assert away[edge.below] == pytest.approx(away[edge.above])
        assert away[edge.below] == pytest.approx(away.min())


@pytest.mark.parametrize(("n", "d"), [(1, 3), (2, 5), (7, 3), (5, 4), (5, 5)])
def test_a_space_partition_finds_the_nearest_point(rng, n, d):
    points, queries = rng.normal(size=(n, d)), 2 * rng.normal(size=(300, d))
    tree = BSPTree(points)
    is_nearest(points, queries, tree.locate_all(queries))
    assert tree.n_leaves >= n
    assert tree.depth < n


@settings(max_examples=15)
@given(arrays(np.float64, st.tuples(st.integers(1, 5), st.just(3)), elements=st.integers(0, 2)))
def test_a_space_partition_of_a_lattice(points):
    queries = np.random.default_rng(0).uniform(-1, 3, size=(50, 3))
    is_nearest(points, queries, BSPTree(points).locate_all(queries))


def test_a_large_space_partition_is_refused():
    with pytest.raises(ValueError, match="at most 50"):
        BSPTree(np.zeros((51, 3)))


@given(st.integers(1, 8), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_a_cell_holds_what_is_nearest_in_any_dimension(n, d, seed):
    rng = np.random.default_rng(seed)
    points, queries = rng.normal(size=(n, d)), rng.normal(size=(20, d))
    cells = np.array([in_voronoi_cell(points, i, queries) for i in range(n)])
    nearest = KDTree(points).query(queries, return_distance=False)[:, 0]
    np.testing.assert_array_equal(cells.sum(axis=0), 1)
    np.testing.assert_array_equal(cells.argmax(axis=0), nearest)
    A, b = cell_half_spaces(points, 0)
    assert (A @ points[0] <= b).all()


def test_cells_of_points_that_are_not_there():
    with pytest.raises(ValueError, match="index of one of the 2 points"):
        in_voronoi_cell([[0.0], [1.0]], 2, [[0.0]])
    with pytest.raises(ValueError, match="1 columns"):
        in_voronoi_cell([[0.0], [1.0]], 0, [[0.0, 1.0]])


@pytest.mark.parametrize(("n", "d"), [(5, 2), (30, 2), (12, 3), (9, 4)])
def test_no_diagram_has_more_vertices_than_the_bound(rng, n, d):
    assert len(Voronoi(rng.normal(size=(n, d))).vertices) <= most_voronoi_vertices(n, d)


def test_the_bound_in_few_dimensions_and_its_growth():
    assert [most_voronoi_vertices(n, 1) for n in (1, 2, 9)] == [0, 1, 8]
    assert [most_voronoi_vertices(n, 2) for n in (2, 3, 10)] == [0, 1, 15]  # 2n - 5
    assert most_voronoi_vertices(10, 3) == 10 * 7 // 2 - 1
    for d in range(1, 8):
        slope = np.log2(most_voronoi_vertices(2**21, d) / most_voronoi_vertices(2**20, d))
        assert slope == pytest.approx(np.ceil(d / 2), abs=0.01)
    with pytest.raises(ValueError, match="at least 1"):
        most_voronoi_vertices(0, 2)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=40), st.integers(1, 10))
def test_a_heap_of_k_keeps_the_k_least(values, k):
    """NN-29: the largest of the k least on top is the one to beat."""
    worst_on_top: BinaryHeap[int] = BinaryHeap(largest=True)
    for value in values:
        if len(worst_on_top) < k:
            worst_on_top.push(value)
        elif value < worst_on_top.peek():
            worst_on_top.replace(value)
    kept = [worst_on_top.pop() for _ in range(len(worst_on_top))]
    assert kept[::-1] == sorted(values)[:k]


@given(st.lists(st.tuples(st.sampled_from(["push", "pop", "replace"]), st.integers(-9, 9))),
       st.booleans(), st.lists(st.integers(-9, 9), max_size=20))  # fmt: skip
def test_a_heap_does_as_a_sorted_list(steps, largest, start):
    heap, plain = BinaryHeap(start, largest=largest), sorted(start, reverse=largest)
    for name, value in steps:
        if name == "push":
            heap.push(value)
            plain = sorted([*plain, value], reverse=largest)
        elif plain and name == "pop":
            assert heap.pop() == plain.pop(0)
        elif plain:
            assert heap.replace(value) == plain[0]
            plain = sorted([*plain[1:], value], reverse=largest)
        assert len(heap) == len(plain)
        assert not plain or heap.peek() == plain[0]


def test_each_step_of_a_heap_costs_the_logarithm():
    class Counted(float):
        compared = 0

        def __lt__(self, other):
            Counted.compared += 1
            return float(self) < float(other)

    heap = BinaryHeap(Counted(v) for v in np.random.default_rng(0).normal(size=4096))
    assert Counted.compared <= 2 * 4096  # made in O(n)
    for step in (lambda: heap.push(Counted(-9.0)), heap.pop, lambda: heap.replace(Counted(9.0))):
        Counted.compared = 0
        step()
        assert Counted.compared <= 2 * 13
    with pytest.raises(ValueError, match="must not be empty"):
        BinaryHeap().pop()
