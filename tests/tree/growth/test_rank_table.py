"""A table as ranks."""

import numpy as np
from numpy.testing import assert_array_equal

from gramian.tree.growth.rank_table import ranked


def test_ranks_point_to_the_sorted_distinct_values():
    X = np.array([[3.0, 1.0], [np.nan, 0.0], [-1.0, np.nan], [3.0, 5.0]])
    levels = np.array([0, 2], dtype=np.int32)
    table = ranked(X, levels, np.array([0, 1, 1, 0]), None, 2)
    assert_array_equal(table.values, [-1.0, 3.0])
    assert_array_equal(table.starts, [0, 2, 2])
    assert_array_equal(table.ranks[0], [1, -1, 0, 1])
    # Categories stay codes; NaN and a code beyond the levels are missing.
    assert_array_equal(table.ranks[1], [1, 0, -1, -1])
    assert_array_equal(table.weights, np.ones(4))


def test_neighbouring_single_precision_values_keep_their_own_rank(rng):
    column = rng.normal(size=50).astype(np.float32)
    column = np.concatenate([column, np.nextafter(column, np.float32(9))])
    table = ranked(column[:, None], np.zeros(1, np.int32), np.zeros(100, int), np.ones(100), 1)
    assert_array_equal(table.values[table.ranks[0]], column.astype(np.float64))
    assert (np.diff(table.values) > 0).all()
