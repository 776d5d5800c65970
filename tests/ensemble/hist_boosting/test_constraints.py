"""Monotonicity and interactions of boosted trees."""

import numpy as np

from gramian import HistGradientBoostingRegressor
from tests.ensemble.problems import wave


def test_monotonic_constraints_hold_everywhere(rng):
    X, y = wave(rng, 3000, 3)
    model = HistGradientBoostingRegressor(monotonic_cst=[1, -1, 0], max_iter=60).fit(X, y)
    grid = np.linspace(-3, 3, 200)
    for row in X[:20]:
        points = np.tile(row, (200, 1))
        points[:, 0] = grid
        assert (np.diff(model.predict(points)) >= -1e-12).all()
        points = np.tile(row, (200, 1))
        points[:, 1] = grid
        assert (np.diff(model.predict(points)) <= 1e-12).all()


def test_interaction_constraints_hold_in_every_branch(rng):
    X, y = wave(rng, 2000, 4)
    model = HistGradientBoostingRegressor(interaction_cst=[{0, 1}, {2, 3}], max_iter=20).fit(X, y)
    for (tree,) in model.predictors_:
        for node in np.flatnonzero(tree.n_children == 0):
            path, at = set(), node
            while (at := tree.parent[at]) >= 0:
                path.add(int(tree.feature[at]))
            assert path <= {0, 1} or path <= {2, 3}
    alone = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=5).fit(X, y)
    for (tree,) in alone.predictors_:
        assert len(set(tree.feature[tree.feature >= 0])) == 1
