"""Regression by stochastic gradient descent."""

import numpy as np
import pytest

from gramian import (
    PoissonRegressor,
    SGDRegressor,
)
from gramian.base.errors import DataError
from tests.linear_model.sgd.sgd_data import rows


def test_counts_are_fitted_by_their_logarithm():
    X, _ = rows(400)
    counts = np.random.default_rng(0).poisson(np.exp(0.3 * X @ [1.0, 1.0, 0.0, -1.0] + 0.5))
    common = {"alpha": 0.01, "max_iter": 300, "tol": None, "average": True, "random_state": 0}
    model = SGDRegressor("poisson", eta0=0.02, **common).fit(X, counts)
    exact = PoissonRegressor(alpha=0.01, tol=1e-8).fit(X, counts)
    np.testing.assert_allclose(model.predict(X), exact.predict(X), rtol=0.03)
    with pytest.raises(DataError, match="y must be >= 0 with loss='poisson'"):
        SGDRegressor("poisson").partial_fit(X, -counts)
