"""Text for the nodes of a fitted tree."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier as SklearnTree

from gramian.base.errors import DataError
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor, ModelTreeRegressor
from gramian.tree.export.node_labels import NodeLabels, tree_children

X, Y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]


def test_a_split_its_edges_and_its_leaves():
    labels = NodeLabels(DecisionTreeClassifier().fit(X, Y), ["age"], 2)
    assert tree_children(labels.tree, 0) == [1, 2]
    assert labels.test(0) == "age <= 1.5"
    assert [labels.branch(node) for node in (1, 2)] == ["age <= 1.5", "age > 1.5"]
    assert [labels.edge(node) for node in (1, 2)] == ["yes", "no"]
    assert [labels.prediction(node) for node in (1, 2)] == ["a", "b"]
    assert labels.leaf(1, weights=True) == "a (2)"
    assert labels.leaf(1, weights=False) == "a"


@pytest.mark.parametrize(
    ("value", "text"), [(1.5, "1.5"), (2.0, "2"), (0.0, "0"), (1e-9, "1e-09"), (100.0, "100")]
)
def test_numbers_have_no_trailing_zeros_and_never_become_zero(value, text):
    labels = NodeLabels(DecisionTreeClassifier().fit(X, Y), None, 3)
    assert labels.number(value) == text


def test_sets_of_categories_and_one_child_per_category():
    colours = [["red"], ["green"], ["blue"], ["grey"]]
    group = NodeLabels(DecisionTreeClassifier().fit(colours, [0, 1, 1, 1]), ["colour"], 2)
    assert sorted(group.branch(node) for node in (1, 2)) == [
        "colour = red",
        "colour in {blue, green, grey}",
    ]
    each = DecisionTreeClassifier(categorical_splits="each").fit(colours, [0, 1, 2, 3])
    labels = NodeLabels(each, ["colour"], 2)
    assert labels.test(0) == "colour ?"
    assert labels.branch(1) == "colour = blue"
    assert labels.edge(1) == "blue"


def test_errors_of_leaves_have_the_name_of_the_criterion():
    for criterion, name in (("squared_error", "mse"), ("absolute_error", "mae")):
        model = DecisionTreeRegressor(criterion=criterion, max_depth=0).fit(X, [0.0, 0, 4, 4])
        text = NodeLabels(model, None, 1).leaf(0, weights=True)
        assert text == f"2 (4, {name} {4 if name == 'mse' else 2})"
    wrong = DecisionTreeClassifier(max_depth=0).fit(X, ["a", "a", "a", "b"])
    assert NodeLabels(wrong, None, 1).leaf(0, weights=True) == "a (4/1)"


def test_a_model_tree_shows_its_formula():
    x = np.arange(20.0)[:, None]
    model = ModelTreeRegressor(smoothing=0).fit(x, 3 - 2 * x[:, 0])
    node = int(np.flatnonzero(model.tree_.n_children == 0)[0])
    assert NodeLabels(model, ["x"], 2).prediction(node).endswith("- 2 x")


def test_unsupported_trees_are_rejected():
    with pytest.raises(DataError, match="of sklearn"):
        NodeLabels(SklearnTree().fit(X, Y), None, 2)
    with pytest.raises(DataError, match="several outputs"):
        NodeLabels(DecisionTreeClassifier().fit(X, [[0, 1]] * 4), None, 2)
    with pytest.raises(DataError, match="must have 1 names, one per feature; got 2"):
        NodeLabels(DecisionTreeClassifier().fit(X, Y), ["a", "b"], 2)
