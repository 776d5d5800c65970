"""Lists of neighbours: sorted, joined, taken, and without the query itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from gramian.neighbors.structures.radius_results import NeighborLists, merged, split, without_self

PLACES = st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=1, max_size=5)


def balls(lists):
    """The balls of queries whose neighbours are the given rows, at distances of row modulo 3."""
    offsets = np.cumsum([0, *map(len, lists)])
    indices = np.array([i for rows in lists for i in rows], dtype=np.int64)
    return NeighborLists(offsets, indices, indices % 3 / 2)


def listed(found):
    assert_array_equal(found.distances, found.indices % 3 / 2)  # rows keep their distances
    return [rows.tolist() for rows in split(found.indices, found.offsets)]


@given(PLACES)
def test_sorted_is_by_distance_then_index(lists):
    expected = [sorted(rows, key=lambda i: (i % 3, i)) for rows in lists]
    assert listed(balls(lists).sorted()) == expected


@given(PLACES)
def test_without_self_drops_row_i_of_query_i(lists):
    expected = [[i for i in rows if i != query] for query, rows in enumerate(lists)]
    assert listed(balls(lists).without_self()) == expected


@given(PLACES, st.data())
def test_take_returns_queries_in_the_order_given(lists, data):
    queries = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=6))
    selected = balls(lists).take(np.array(queries, dtype=np.int64))
    assert listed(selected) == [lists[query] for query in queries]


@given(PLACES, PLACES)
def test_stacked_puts_queries_one_after_the_other(first, second):
    assert listed(NeighborLists.stacked([balls(first), balls(second)])) == first + second


@given(PLACES, PLACES)
def test_joined_puts_the_rows_of_a_query_together(first, second):
    m = min(len(first), len(second))
    found = NeighborLists.joined([balls(first[:m]), balls(second[:m])])
    assert listed(found) == [a + b for a, b in zip(first[:m], second[:m], strict=True)]


def test_k_neighbours_without_the_row_itself():
    distances = np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [0.0, 0.5, 0.6]])
    indices = np.array([[0, 2, 1], [0, 2, 1], [0, 1, 3]])  # row 2: equal rows crowd it out
    kept = without_self(distances, indices)
    assert_array_equal(kept[1], [[2, 1], [0, 2], [0, 1]])
    assert_array_equal(kept[0], [[1, 2], [0, 0], [0, 0.5]])


@pytest.mark.parametrize("seed", range(3))
def test_merged_lists_are_sorted_and_equal_distances_keep_the_lower_index_first(seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 4, size=(5, 8)).astype(float)
    first, second = (np.argsort(part, axis=1, kind="stable") for part in (rows[:, :3], rows[:, 3:]))
    best = np.take_along_axis(rows, first, 1), first
    found = merged(best, np.take_along_axis(rows, second + 3, 1), second + 3)
    assert_array_equal(found[1], np.argsort(rows, axis=1, kind="stable"))
    assert_array_equal(found[0], np.sort(rows, axis=1))
