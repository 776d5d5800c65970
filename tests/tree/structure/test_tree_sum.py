"""Ensembles of trees say which sum of trees they are."""

import numpy as np
from numpy.testing import assert_allclose

from gramian import GradientBoostingRegressor, RandomForestRegressor


def test_the_sum_predicts_as_the_ensemble_does(rng):
    X = rng.normal(size=(80, 3))
    y = X[:, 0] + rng.normal(size=80)
    for model in (
        RandomForestRegressor(5, random_state=0),
        GradientBoostingRegressor(n_estimators=5),
    ):
        found = model.fit(X, y)._tree_sum()
        leaves = sum(tree.predict(X)[:, 0, 0] for tree in found.trees)
        start = 0.0 if found.offset is None else np.ravel(found.offset)[0]
        assert found.link == "identity"
        assert_allclose(start + found.scale * leaves, model.predict(X))
