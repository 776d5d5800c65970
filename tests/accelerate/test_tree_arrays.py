"""scikit-learn's functions read our trees."""

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.inspection import partial_dependence

import gramian
from gramian.accelerate.tree_arrays import TreeArrays

FOUR = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])


def test_leaves_are_marked_as_scikit_learn_marks_them():
    tree = TreeArrays(gramian.DecisionTreeClassifier().fit(FOUR, [0, 0, 1, 1]).tree_)
    assert_array_equal(tree.feature, [0, -2, -2])
    assert_array_equal(tree.threshold, [0.5, -2, -2])
    assert_array_equal(tree.n_classes, [2])
    assert tree.capacity == tree.node_count == 3


def test_rows_of_any_form_walk_down():
    tree = TreeArrays(gramian.DecisionTreeClassifier().fit(FOUR, [0, 0, 1, 1]).tree_)
    for rows in (FOUR.astype(np.float32), np.asfortranarray(FOUR), csr_matrix(FOUR)):
        assert_array_equal(tree.apply(rows), [1, 1, 2, 2])
        assert_array_equal(tree.predict(rows), [[1, 0], [1, 0], [0, 1], [0, 1]])
        assert tree.decision_path(rows).sum() == 8


def test_partial_dependence_divides_by_weight():
    tree = gramian.DecisionTreeRegressor().fit(FOUR, [0.0, 1, 2, 7]).tree_
    out = np.zeros(2)
    TreeArrays(tree).compute_partial_dependence(np.array([[0.0], [1.0]]), [1], out)
    assert_allclose(out, [(0 + 2) / 2, (1 + 7) / 2])


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["DecisionTreeRegressor", "RandomForestRegressor", "HistGradientBoostingRegressor"]
)
def test_partial_dependence_by_recursion_is_near_that_by_brute_force(accelerated, rng, name):
    X = rng.uniform(size=(2_000, 3))
    y = 3 * X[:, 0] + np.sin(6 * X[:, 1])
    family = sklearn.tree if name.startswith("Decision") else sklearn.ensemble
    model = getattr(family, name)(random_state=0).fit(X, y)
    fast = partial_dependence(model, X, [0], method="recursion", grid_resolution=10)
    slow = partial_dependence(model, X, [0], method="brute", grid_resolution=10)
    centred = [(part["average"] - part["average"].mean()) for part in (fast, slow)]
    assert_allclose(*centred, atol=0.1)


def test_exports_of_scikit_learn(accelerated):
    model = sklearn.tree.DecisionTreeClassifier().fit(FOUR, [0, 0, 1, 1])
    expected = type(model).sklearn_class().fit(FOUR, [0, 0, 1, 1])
    assert sklearn.tree.export_text(model) == sklearn.tree.export_text(expected)
    assert "x[0] <= 0.5" in sklearn.tree.export_graphviz(model)
