"""The parameters that trees and forests have in common, and their ranges."""

import pytest

from gramian.ensemble import ExtraTreesRegressor, RandomForestClassifier
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor
from gramian.tree.tree_parameters import TreeParameters

X, Y = [[0.0], [1.0], [2.0]], [0, 1, 1]
KINDS = [DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, ExtraTreesRegressor]


@pytest.mark.parametrize("kind", KINDS)
def test_every_tree_and_forest_has_them(kind):
    shared = TreeParameters.__dataclass_fields__.keys()
    assert shared <= kind().get_params().keys()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", -1),
        ("min_samples_split", 0),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", 1.0),
        ("min_weight_fraction_leaf", 1.5),
        ("max_features", 0.0),
        ("max_features", "half"),
        ("max_leaf_nodes", 1),
        ("min_impurity_decrease", -0.1),
        ("ccp_alpha", -1.0),
        ("categorical_splits", "all"),
    ],
)
def test_values_out_of_range_are_refused_by_name(kind, name, value):
    with pytest.raises(ValueError, match=name):
        kind(**{name: value}).fit(X, Y)
