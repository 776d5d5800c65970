"""The best points so far, and what a traced search counts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gramian.textbook.neighbors.trace import Best, Step


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 8), st.integers(1, 7))
def test_the_k_smallest_by_distance_then_index_in_whatever_pieces(values, k, size):
    distances = np.array(values, dtype=float)
    best = Best(k)
    for start in range(0, len(values), size):
        rows = np.arange(start, min(start + size, len(values)))
        best.measure(distances[rows], rows)
        seen = np.sort(distances[: rows[-1] + 1])
        assert best.radius == (seen[k - 1] if len(seen) >= k else np.inf)
    result = best.result([])
    order = np.argsort(distances, kind="stable")[:k]
    assert result.indices.tolist() == order.tolist()
    assert result.distances.tolist() == distances[order].tolist()
    assert result.n_points == len(values)


def test_boxes_entered_are_counted_and_skipped_ones_are_not():
    steps = [Step(0, "enter", 0.0, np.inf), Step(1, "skip", 3.0, 2.0), Step(2, "enter", 1.0, 2.0)]
    assert Best(1).result(steps).n_boxes == 2
