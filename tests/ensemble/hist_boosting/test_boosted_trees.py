"""The trees of a boosted ensemble."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import gramian
from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from tests.ensemble.problems import wave


def test_thresholds_are_in_the_units_of_x(rng):
    X, y = wave(rng, 800, dtype=np.float32)
    model = HistGradientBoostingRegressor(max_iter=3).fit(X, y)
    trees = [tree for stage in model.predictors_ for tree in stage]
    assert len(trees) == 3
    total = model._start[0] + sum(tree.predict(X)[:, 0, 0] for tree in trees)
    assert_allclose(total.astype(np.float32), model.predict(X), rtol=1e-6)
    assert model.feature_counts_.sum() == sum(tree.n_leaves - 1 for tree in trees)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert set(np.argsort(model.feature_importances_)[-3:]) == {0, 1, 2}


def test_a_saved_model_gives_the_same_predictions(rng, tmp_path):
    X, y = wave(rng, 500)
    X[::7, 0] = np.nan
    model = HistGradientBoostingClassifier(max_iter=6).fit(X, np.digitize(y, [-1, 1]))
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert len(copy.predictors_) == 6
