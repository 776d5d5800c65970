"""Targets and weights of extreme sizes in histogram boosting."""

import numpy as np
import pytest

from gramian import HistGradientBoostingRegressor


def test_targets_too_large_are_refused():
    X = np.arange(50.0)[:, None]
    with pytest.raises(ValueError, match=r"HistGradientBoostingRegressor: y must .* Divide y"):
        HistGradientBoostingRegressor(max_iter=3).fit(X, X[:, 0] * 1e160)


def test_weights_too_large_beside_a_penalty_are_refused():
    X = np.arange(50.0)[:, None]
    model = HistGradientBoostingRegressor(max_iter=3, l2_regularization=1.0)
    with pytest.raises(ValueError, match=r"sample_weight must .* Divide sample_weight"):
        model.fit(X, X[:, 0], sample_weight=np.full(50, 1e300))
