"""Gradient boosting in function space: weights, subsamples, stopping."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_diabetes

from gramian import (
    FunctionalGradientBoostingClassifier,
    FunctionalGradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from gramian.objectives import AbsoluteError
from tests.ensemble.problems import curved


def test_weights_too_large_beside_a_penalty_are_refused():
    X = np.arange(50.0)[:, None]
    model = HistGradientBoostingRegressor(max_iter=3, l2_regularization=1.0)
    with pytest.raises(ValueError, match=r"sample_weight must .* Divide sample_weight"):
        model.fit(X, X[:, 0], sample_weight=np.full(50, 1e300))


@pytest.mark.parametrize("exponent", [-900, -300, -65, 70, 140, 300, 900])
@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(max_iter=5, early_stopping=False, random_state=0),
        HistGradientBoostingRegressor(max_iter=5, early_stopping=False, random_state=0),
        FunctionalGradientBoostingClassifier(n_estimators=5, random_state=0),
        FunctionalGradientBoostingRegressor(n_estimators=5, random_state=0),
        FunctionalGradientBoostingRegressor(
            n_estimators=5, loss="quantile", alpha=0.3, random_state=0
        ),
    ],
)
def test_the_scale_of_all_weights_does_not_matter(model, exponent):
    """Slopes times weights are single precision, whose range ends at 2^-149 and 2^128."""
    X, y = curved()
    if "Classifier" in type(model).__name__:
        y = y > 1
    weights = np.arange(1.0, 1 + len(y)) / len(y)
    fits = [clone(model).fit(X, y, np.ldexp(weights, k)) for k in (0, exponent)]
    np.testing.assert_allclose(fits[1].predict(X), fits[0].predict(X), rtol=1e-5, atol=1e-6)


def test_subsampling_own_losses_and_stopping(rng):
    X, y = load_diabetes(return_X_y=True)
    part = FunctionalGradientBoostingRegressor(subsample=0.5, n_estimators=20, random_state=0).fit(
        X, y
    )
    again = FunctionalGradientBoostingRegressor(subsample=0.5, n_estimators=20, random_state=0).fit(
        X, y
    )
    assert_array_equal(part.predict(X), again.predict(X))
    own = FunctionalGradientBoostingRegressor(
        loss=lambda y, z: (z - y, np.ones_like(z)), n_estimators=10
    ).fit(X, y)
    known = FunctionalGradientBoostingRegressor(n_estimators=10).fit(X, y)
    assert_allclose(own.predict(X), known.predict(X), rtol=1e-3)
    median = FunctionalGradientBoostingRegressor(loss=AbsoluteError(), n_estimators=5)
    with pytest.raises(NotImplementedError):
        median.fit(X, y)
    model = FunctionalGradientBoostingRegressor(n_estimators=400, n_iter_no_change=5)
    model.fit(X[:300], y[:300], X_val=X[300:], y_val=y[300:])
    assert model.n_estimators_ < 400
    with pytest.raises(ValueError, match="go together"):
        model.fit(X, y, X_val=X)
    with pytest.raises(ValueError, match="1 class"):
        FunctionalGradientBoostingClassifier().fit(X, np.zeros(len(X)))
