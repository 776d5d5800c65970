"""Extremely randomised trees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from tests.tree.table import interactions


@pytest.mark.parametrize("kind", [ExtraTreesClassifier, ExtraTreesRegressor])
def test_every_tree_uses_all_rows_unless_bootstrap(kind):
    X, y = interactions(120, 6)
    y = y > 0 if kind is ExtraTreesClassifier else y
    assert [tree.samples[0] for tree in kind(5, random_state=0).fit(X, y).forest_] == [120] * 5
    drawn = kind(5, bootstrap=True, random_state=0).fit(X, y)
    assert max(tree.samples[0] for tree in drawn.forest_) < 100  # about 63% are distinct


def test_thresholds_are_uniform_between_minimum_and_maximum():
    X = np.array([[0.0], [0.5], [1.0]])
    model = ExtraTreesRegressor(4000, max_depth=1, random_state=0).fit(X, [0.0, 1.0, 2.0])
    root = np.array([tree.threshold[0] for tree in model.forest_])
    assert ((root >= 0) & (root < 1)).all()
    assert_allclose(np.quantile(root, [0.1, 0.5, 0.9]), [0.1, 0.5, 0.9], atol=0.03)
