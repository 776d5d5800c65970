"""Empirical risk and its minimiser."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.learning_theory import empirical_risk, least_empirical_risk


def test_the_least_empirical_risk_of_a_list_is_found(rng):
    x = rng.random(200)
    y = x > 0.35
    thresholds = np.linspace(0, 1, 21)
    rules = [lambda x, t=t: x > t for t in thresholds]
    found = least_empirical_risk(rules, x, y)
    assert thresholds[found.best] == pytest.approx(0.35)
    assert found.risks[found.best] == found.risks.min() == 0
    assert_allclose(found.risks, [np.mean((x > t) != y) for t in thresholds])
    with pytest.raises(ValueError, match="at least one hypothesis"):
        least_empirical_risk([], x, y)
    with pytest.raises(ValueError, match="one entry per row"):
        empirical_risk([[1, 2]], [1, 2])
