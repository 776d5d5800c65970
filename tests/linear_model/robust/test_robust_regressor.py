"""Robust regressors: edge cases of rows, columns and weights."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian import ChebyshevRegression, LeastAbsoluteDeviations, QuantileRegressor
from tests.linear_model.robust.robust_data import rows


def test_more_unknowns_than_rows_and_one_row():
    X, y, _ = rows(3, 3, 6, False)
    for model in (LeastAbsoluteDeviations(), ChebyshevRegression()):
        np.testing.assert_allclose(model.fit(X, y).predict(X), y, atol=1e-9)
        assert model.fit([[1.0, 2.0]], [3.0]).predict([[1.0, 2.0]]) == pytest.approx([3.0])


def test_constant_columns_and_targets():
    X = np.column_stack([np.full(10, 1e6), np.arange(10.0)])
    for model in (LeastAbsoluteDeviations(), ChebyshevRegression()):
        model.fit(X, np.full(10, 5.0))
        np.testing.assert_allclose(model.predict(X), 5.0)
        np.testing.assert_allclose(model.fit(X, X[:, 1]).predict(X), X[:, 1], atol=1e-8)


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


@pytest.mark.parametrize("model", [LeastAbsoluteDeviations(), ChebyshevRegression()], ids=repr)
def test_one_target_only_and_sparse_rows_as_dense_ones(model):
    X, y, _ = rows(5, 30, 3, False)
    with pytest.raises(ValueError, match="y should be a 1d array"):
        model.fit(X, np.column_stack([y, y]))
    dense = model.fit(X, y).coef_
    np.testing.assert_allclose(model.fit(sp.csr_array(X), y).coef_, dense, atol=1e-9)
    assert model.fit(X.astype(np.float32), y).coef_.dtype == np.float32
