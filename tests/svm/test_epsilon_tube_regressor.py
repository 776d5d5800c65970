"""Base class of support vector regression."""

import numpy as np
import pytest

from gramian import SVR, NuSVR


@pytest.mark.numeric
@pytest.mark.parametrize("model", [SVR(tol=1e-9), NuSVR(tol=1e-9)])
def test_a_weight_of_zero_drops_a_row_and_two_repeats_it(rng, model):
    X, y, weights = rng.normal(size=(30, 2)), rng.normal(size=30), np.repeat([0.0, 1.0, 2.0], 10)
    model.set_params(gamma=0.5)
    found = model.fit(X, y, sample_weight=weights).predict(X)
    assert (model.support_ >= 10).all()
    repeats = weights.astype(int)
    again = model.fit(np.repeat(X, repeats, axis=0), np.repeat(y, repeats)).predict(X)
    np.testing.assert_allclose(found, again, atol=1e-6)
