"""Losses of classification."""

import numpy as np
import pytest

from gramian import GradientBoostingClassifier
from gramian.base.errors import DataError


def test_the_exponential_loss_is_half_the_log_odds():
    X = np.zeros((4, 1))
    model = GradientBoostingClassifier(loss="exponential", n_estimators=1)
    model.fit(np.r_[X, X + 1], [0, 0, 0, 1, 1, 1, 1, 0])
    np.testing.assert_allclose(model.init_.predict_proba(X), 0.5)
    z = model.decision_function(X)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-2 * z)))
    with pytest.raises(DataError, match="two classes"):
        model.fit(np.arange(3.0)[:, None], [0, 1, 2])


def test_one_newton_step_of_each_leaf():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]]), [0, 0, 1, 1, 0]
    model = GradientBoostingClassifier(n_estimators=1, learning_rate=1.0, max_depth=1).fit(X, y)
    p = 0.4
    start = np.log(p / (1 - p))
    steps = [-p / (p * (1 - p)), (2 / 3 - p) / (p * (1 - p))]
    np.testing.assert_allclose(model.decision_function([[0.0], [1.0]]), start + np.array(steps))
