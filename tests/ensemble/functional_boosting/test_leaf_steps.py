"""One step for each leaf of a boosted tree."""

import numpy as np
import pytest

from gramian import (
    FunctionalGradientBoostingClassifier,
    FunctionalGradientBoostingRegressor,
)
from gramian.ensemble.common.boosting_loss import careful_step


def test_each_leaf_takes_its_own_step(rng):
    """One round with rate 1: Newton steps for log loss, medians for absolute errors."""
    X = rng.normal(size=(400, 2))
    y = X[:, 0] + rng.normal(size=400)
    labels = (y > 0).astype(int)
    model = FunctionalGradientBoostingClassifier(n_estimators=1, learning_rate=1.0, max_depth=2)
    z = model.fit(X, labels).decision_function(X)
    p = labels.mean()
    for leaf in np.unique(z):
        own = z == leaf
        step = (labels[own] - p).mean() / (p * (1 - p))
        assert leaf - np.log(p / (1 - p)) == pytest.approx(careful_step(step), rel=1e-5)
    median = FunctionalGradientBoostingRegressor(
        loss="absolute_error", n_estimators=1, learning_rate=1.0
    )
    predicted = median.fit(X, y).predict(X)
    for leaf in np.unique(predicted):
        assert leaf == pytest.approx(np.median(y[predicted == leaf]), abs=1e-9)
