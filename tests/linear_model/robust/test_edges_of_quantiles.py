"""Quantiles of data without anything to learn from."""

import numpy as np
import pytest

from gramian import LeastAbsoluteDeviations, QuantileRegressor


@pytest.mark.parametrize("model", [LeastAbsoluteDeviations, QuantileRegressor])
def test_columns_of_zeros_without_an_intercept(model):
    found = model(fit_intercept=False).fit(np.zeros((5, 2)), np.arange(5.0))
    np.testing.assert_array_equal(found.coef_, [0, 0])
    np.testing.assert_array_equal(found.predict(np.ones((2, 2))), [0, 0])


def test_weights_of_any_scale():
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(40, 2)), rng.uniform(1, 2, size=40)
    y = X[:, 0] + rng.normal(size=40)
    plain = LeastAbsoluteDeviations().fit(X, y, sample_weight=w)
    for scale in (1e300, 1e-300):
        scaled = LeastAbsoluteDeviations().fit(X, y, sample_weight=w * scale)
        np.testing.assert_allclose(scaled.coef_, plain.coef_, rtol=1e-9)
