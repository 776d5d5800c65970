"""Rows of weight zero are ignored."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import ensemble as sk
from sklearn.base import clone
from sklearn.metrics import mean_pinball_loss

from gramian import (
    HistGradientBoostingRegressor,
)
from tests.ensemble.problems import curved, wave


@pytest.mark.parametrize("loss", ["squared_error", "quantile"])
def test_rows_of_weight_zero_do_not_change_the_model(loss):
    X, y = curved()
    weights = np.arange(len(y)) % 4.0
    X[weights == 0] *= 100  # would move bins, and fill leaves of 20 rows
    y[weights == 0] = 1e9
    model = HistGradientBoostingRegressor(
        loss, quantile=0.9 if loss == "quantile" else None, max_iter=10, random_state=0
    )
    kept = weights > 0
    with_them = clone(model).fit(X, y, weights)
    without = clone(model).fit(X[kept], y[kept], weights[kept])
    np.testing.assert_array_equal(with_them.predict(X), without.predict(X))
    leaves = with_them.apply(X[kept])[:, :, 0]
    assert all(np.unique(tree, return_counts=True)[1].min() >= 20 for tree in leaves.T)


@pytest.mark.slow
@pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
def test_quantiles_ignore_rows_of_weight_zero_as_scikit_learn_without_them(quantile):
    """With them scikit-learn's leaves hold fewer rows that count than min_samples_leaf."""
    X, y = curved(400)
    weights = np.arange(len(y)) % 4.0
    kept = weights > 0
    settings = {"loss": "quantile", "quantile": quantile, "max_iter": 30}
    ours = HistGradientBoostingRegressor(**settings).fit(X, y, weights)
    theirs = sk.HistGradientBoostingRegressor(**settings).fit(X[kept], y[kept], weights[kept])
    a, b = (
        mean_pinball_loss(y[kept], m.predict(X[kept]), sample_weight=weights[kept], alpha=quantile)
        for m in (ours, theirs)
    )
    assert a == pytest.approx(b, rel=0.05)


def test_rows_of_weight_zero_are_not_counted(rng):
    X, y = wave(rng, 300)
    weights = rng.integers(2, size=300)
    weighted = HistGradientBoostingRegressor(max_iter=10).fit(X, y, sample_weight=weights)
    kept = weights > 0
    alone = HistGradientBoostingRegressor(max_iter=10).fit(X[kept], y[kept])
    assert_allclose(weighted.predict(X), alone.predict(X), atol=1e-2)
    assert weighted.predictors_[0][0].samples[0] == kept.sum()
