"""Cost-complexity pruning."""

import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from gramian.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    prune_cost_complexity,
)


@pytest.mark.parametrize("name", ["iris", "cancer"])
def test_cost_complexity_chooses_a_small_accurate_tree(name):
    X, y = {"iris": load_iris, "cancer": load_breast_cancer}[name](return_X_y=True)
    grown = DecisionTreeClassifier().fit(X, y)
    least = prune_cost_complexity(grown, X, y, cv=5, rule="least")
    careful = prune_cost_complexity(grown, X, y, cv=5)
    assert careful.estimator.get_n_leaves() <= least.estimator.get_n_leaves()
    curve = careful.curve
    assert curve.n_leaves[0] <= grown.get_n_leaves()
    assert curve.n_leaves[-1] == 1
    assert careful.estimator.get_n_leaves() == curve.n_leaves[curve.chosen]
    limit = least.curve.estimated_error[least.curve.chosen]
    limit += least.curve.standard_error[least.curve.chosen]
    assert curve.estimated_error[curve.chosen] <= limit
    assert limit < 0.15


def test_cost_complexity_of_regression_and_of_frames():
    pd = pytest.importorskip("pandas")
    X, y = load_diabetes(return_X_y=True)
    grown = DecisionTreeRegressor(max_leaf_nodes=40).fit(X, y)
    pruned, curve = prune_cost_complexity(grown, X, y, cv=4)
    assert 1 < pruned.get_n_leaves() < 20
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(10)])
    again = prune_cost_complexity(
        DecisionTreeRegressor(max_leaf_nodes=40).fit(frame, y), frame, y, cv=4
    )
    assert_allclose(again.curve.estimated_error, curve.estimated_error)
