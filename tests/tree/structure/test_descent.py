"""The rows that reach each node."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.tree.structure.descent import branches, visits
from tests.tree.structure.test_tree import small_tree

X = np.array([[0.5, 0.0], [0.0, 1.0], [0.6, 0.0], [np.nan, 2.0]])


def test_each_node_is_visited_once_by_the_rows_that_reach_it():
    found = {visit.node: visit for visit in visits(small_tree(), X)}
    assert list(found) == [0, 1, 2, 3, 4]
    assert [found[k].rows.tolist() for k in range(5)] == [
        [0, 1, 2, 3],
        [0, 1, 3],
        [2, 3],
        [0, 3],
        [1],
    ]
    # The missing value goes to both children, by their weights 6 and 2.
    assert_allclose(found[1].fraction, [1, 1, 0.75])
    assert_allclose(found[2].fraction, [1, 0.25])


def test_predictions_are_the_fractions_times_the_values_of_leaves():
    tree, total = small_tree(), np.zeros(len(X))
    for node, rows, fraction in visits(tree, X):
        if tree.n_children[node] == 0:
            total[rows] += fraction * tree.value[node, 0, 0]
    assert_allclose(total, tree.predict(X)[:, 0, 0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_at_the_threshold_go_left_and_unseen_categories_where_missing_goes(dtype):
    tree = small_tree()
    assert_array_equal(branches(tree, 0, np.array([0.5, 0.6, np.nan], dtype)), [0, 1, -1])
    assert_array_equal(branches(tree, 1, np.array([0, 1, 2, 3, np.nan], dtype)), [0, 1, 0, 1, 1])
