"""The arrays of a tree: walking, cutting, refusing damage."""

import pickle
from typing import Any

import numpy as np
import pytest

from gramian.tree import Tree


def small_tree(**changes: Any) -> Tree:
    """x0 <= 0.5 ? (category of x1 in {0, 2} ? A : B) : C; missing x0 goes to both children."""
    arrays: dict[str, Any] = {
        "first_child": [1, 3, 0, 0, 0],
        "n_children": [2, 2, 0, 0, 0],
        "kind": [1, 2, 0, 0, 0],
        "feature": [0, 1, -1, -1, -1],
        "threshold": [0.5, np.nan, np.nan, np.nan, np.nan],
        "bits": [0b101],
        "bit_start": [0, 0, 0, 0, 0],
        "missing": [-1, 1, 0, 0, 0],
        "samples": [8, 6, 2, 4, 2],
        "weight": [8.0, 6.0, 2.0, 4.0, 2.0],
        "impurity": [1.0, 0.5, 0.0, 0.0, 0.0],
        "value": np.array([0.0, 0.0, 3.0, 1.0, 2.0]).reshape(5, 1, 1),
        "levels": [0, 3],
    }
    return Tree(**{**arrays, **changes})


def test_rows_reach_their_leaves() -> None:
    X = np.array([[0.5, 0.0], [0.0, 1.0], [0.0, 2.0], [0.6, 0.0], [0.0, np.nan], [0.0, 3.0]])
    for dtype in (np.float32, np.float64):
        assert small_tree().apply(X.astype(dtype)).tolist() == [3, 4, 3, 2, 4, 4]


def test_a_missing_value_is_divided_by_weight() -> None:
    predicted = small_tree().predict(np.array([[np.nan, 0.0], [0.0, 0.0]]))
    assert predicted.ravel().tolist() == [0.75 * 1.0 + 0.25 * 3.0, 1.0]


def test_structure() -> None:
    tree = small_tree()
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1]
    assert tree.depth.tolist() == [0, 1, 1, 2, 2]
    assert (tree.node_count, tree.n_leaves, tree.max_depth) == (5, 3, 2)
    assert tree.category_set(1).tolist() == [True, False, True]
    assert tree.children_left.tolist() == [1, 3, -1, -1, -1]
    assert tree.children_right.tolist() == [2, 4, -1, -1, -1]
    assert tree.compute_feature_importances(normalize=False).tolist() == [5 / 8, 3 / 8]


def test_paths_hold_every_node_above_a_leaf() -> None:
    paths = small_tree().decision_path(np.array([[0.0, 0.0], [1.0, 0.0]]))
    assert paths.toarray().tolist() == [[1, 1, 0, 1, 0], [1, 0, 1, 0, 0]]


def test_cutting_makes_leaves() -> None:
    cut = small_tree().cut([1])
    assert (cut.node_count, cut.n_leaves) == (3, 3 - 1)
    assert cut.apply(np.array([[0.0, 0.0], [1.0, 0.0]])).tolist() == [1, 2]
    assert small_tree().cut([0]).node_count == 1


def test_pickle_keeps_the_arrays() -> None:
    tree = small_tree()
    copy = pickle.loads(pickle.dumps(tree))
    for name, array in tree.arrays().items():
        np.testing.assert_array_equal(getattr(copy, name), array)
    assert not copy.threshold.flags.writeable


@pytest.mark.parametrize(
    "changes",
    [
        {"first_child": [1, 1, 0, 0, 0]},  # a child before its parent: a walk would never end
        {"first_child": [1, 4, 0, 0, 0]},  # a child outside
        {"feature": [2, 1, -1, -1, -1]},
        {"feature": [-1, 1, -1, -1, -1]},
        {"threshold": [np.nan] * 5},
        {"bit_start": [0, 1, 0, 0, 0]},
        {"missing": [2, 1, 0, 0, 0]},
        {"kind": [9, 2, 0, 0, 0]},
        {"kind": [0, 2, 0, 0, 0]},
        {"samples": [8]},
        {"value": np.zeros((4, 1, 1))},
    ],
)
def test_damaged_arrays_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Tree"):
        small_tree(**changes)
