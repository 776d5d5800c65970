import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.multilabel.label_hierarchy import LabelHierarchy, divide_labels


def arrays(*labels):
    return [np.array(each) for each in labels]


def test_depth_and_size():
    tree = LabelHierarchy(np.array([-1, 0, 0, 1, 1]), arrays([0, 1, 2], [0, 1], [2], [0], [1]))
    assert (tree.n_nodes, tree.depth, tree.inner.tolist()) == (5, 2, [0, 1])
    assert tree.children(1).tolist() == [3, 4]


@pytest.mark.parametrize("distribution", ["balanced", "kmeans", "random"])
def test_labels_are_divided_without_empty_groups(distribution):
    rng = np.random.default_rng(0)
    Y = rng.random((60, 10)) < 0.3
    groups = divide_labels(Y, 3, distribution, rng)
    assert sorted(np.concatenate(groups).tolist()) == list(range(10))
    assert 2 <= len(groups) <= 3
    assert all(len(group) for group in groups)
    if distribution != "kmeans":
        assert max(map(len, groups)) == 4


def test_labels_that_occur_together_stay_together():
    """ML-05: balanced k-means over the columns; two pairs of equal columns."""
    a, b = np.arange(20) < 10, np.arange(20) % 2 == 0
    Y = np.column_stack([a, b, a, b])
    groups = divide_labels(Y, 2, "balanced", np.random.default_rng(0))
    assert sorted(map(sorted, (g.tolist() for g in groups))) == [[0, 2], [1, 3]]


def test_columns_that_are_all_alike_are_divided_evenly():
    Y = np.zeros((5, 7), bool)
    for distribution in ("balanced", "kmeans"):
        groups = divide_labels(Y, 3, distribution, np.random.default_rng(0))
        assert len(groups) > 1
        assert sum(map(len, groups)) == 7


@pytest.mark.parametrize(
    ("parents", "labels"),
    [
        ([0, 0], arrays([0], [0])),
        ([-1, 2, 0], arrays([0, 1], [0], [1])),
        ([-1, 0, 0], arrays([0, 1], [0], [0])),
        ([-1], arrays([0, 1])),
        ([-1, 0], arrays([0])),
    ],
)
def test_invalid_trees_are_refused(parents, labels):
    with pytest.raises(DataError, match="LabelHierarchy"):
        LabelHierarchy(np.array(parents), labels)
