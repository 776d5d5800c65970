"""The primal on chunks; settings that need the dual are refused."""

import numpy as np
import pytest

from gramian import LinearSVC
from gramian.base.errors import DataError

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 3))
y = np.arange(90) % 3
CHUNKS = [(X[:40], y[:40]), (X[40:], y[40:])]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"fit_intercept": False},
        {"penalize_intercept": False},
        {"intercept_scaling": 3.0, "class_weight": "balanced"},
    ],
)
def test_chunks_give_the_same_model_as_in_memory(settings):
    whole = LinearSVC(tol=1e-10, **settings).fit(X, y)
    parts = LinearSVC(tol=1e-10, **settings).fit_chunks(CHUNKS)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(parts.objective_, whole.objective_)
    assert not hasattr(parts, "dual_coef_")


@pytest.mark.parametrize("settings", [{"loss": "hinge"}, {"C": float("inf")}, {"dual": True}])
def test_the_dual_is_refused(settings):
    with pytest.raises(DataError, match="fit_chunks solves the primal"):
        LinearSVC(**settings).fit_chunks(CHUNKS)
