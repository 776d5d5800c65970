"""Trees grown on columns that are sorted once."""

import numpy as np

from gramian import DecisionTreeRegressor, GradientBoostingRegressor
from gramian.ensemble.gradient_boosting.stage_trees import StageTrees, unfitted_tree


def test_a_stage_tree_equals_a_decision_tree_regressor():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    model = GradientBoostingRegressor(max_depth=2, n_estimators=2)
    model._seed = 0
    trees = StageTrees(model, X, 1, None)
    tree, leaf = trees.tree_and_leaves(trees.fit_learner(y, None, None, 0, 0))
    alone = DecisionTreeRegressor(max_depth=2).fit(X, y)
    np.testing.assert_array_equal(tree.threshold, alone.tree_.threshold)
    np.testing.assert_array_equal(leaf, alone.apply(X))
    trees.add([trees.with_values(tree, np.arange(tree.node_count, dtype=float))], 0.1)
    (forest,) = trees.fitted(copy=False)["forests_"]
    assert forest[0].value[:, 0, 0].tolist() == list(range(tree.node_count))


def test_unfitted_tree_has_the_parameters_of_the_model():
    model = GradientBoostingRegressor(max_depth=4, min_samples_leaf=3, max_features="sqrt")
    tree = unfitted_tree(model)
    assert (tree.max_depth, tree.min_samples_leaf, tree.max_features) == (4, 3, "sqrt")
