"""Custom losses, and losses by name."""

import numpy as np
import pytest

from gramian import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from gramian.objectives import LogitMargin
from tests.ensemble.problems import curved, wave


def test_a_function_of_derivatives_is_a_loss(rng):
    X, y = wave(rng)
    own = HistGradientBoostingRegressor(lambda y, z: (z - y, np.ones_like(z)), max_iter=20)
    known = HistGradientBoostingRegressor(max_iter=20).fit(X, y)
    assert own.fit(X, y).score(X, y) == pytest.approx(known.score(X, y), abs=0.02)
    assert own._start[0] == pytest.approx(y.mean())


def test_a_loss_of_objectives_is_supported(rng):
    X, y = wave(rng)
    label = y > 0
    own = HistGradientBoostingClassifier(LogitMargin(), max_iter=20).fit(X, label)
    known = HistGradientBoostingClassifier(max_iter=20).fit(X, label)
    assert (own.predict(X) == known.predict(X)).mean() > 0.97


@pytest.mark.parametrize("part", ["gradient", "hessian"])
def test_nan_returned_by_a_custom_loss_is_reported(rng, part):
    X, y = wave(rng, 100)

    def loss(y, z):
        g, h = z - y, np.ones_like(z)
        (g if part == "gradient" else h)[3] = np.nan
        return g, h

    with pytest.raises(ValueError, match=f"custom loss returned a {part} with NaN.*row 3"):
        HistGradientBoostingRegressor(loss).fit(X, y)


def test_custom_loss_with_wrong_shape_or_negative_hessian_is_rejected(rng):
    X, y = wave(rng, 100)
    with pytest.raises(ValueError, match="two arrays"):
        HistGradientBoostingRegressor(lambda y, z: z - y).fit(X, y)
    with pytest.raises(ValueError, match=r"shape \(100,\)"):
        HistGradientBoostingRegressor(lambda y, z: (z[:5], z)).fit(X, y)
    with pytest.raises(ValueError, match="negative hessian"):
        HistGradientBoostingRegressor(lambda y, z: (z - y, -np.ones_like(z))).fit(X, y)


def test_custom_loss_with_gradients_below_single_precision_is_rejected():
    X, y = curved()
    settings = {"loss": lambda y, z: (z - y, np.ones_like(z))}
    with pytest.raises(ValueError, match="too small for single precision"):
        HistGradientBoostingRegressor(**settings).fit(X, y * 1e-160)
    exact = GradientBoostingRegressor(**settings)  # in double precision
    plain = exact.fit(X, y).predict(X)
    np.testing.assert_allclose(exact.fit(X, y * 2.0**-400).predict(X) * 2.0**400, plain)
