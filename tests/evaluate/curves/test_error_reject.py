"""Error-reject curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.decision import conditional_risk, least_risk
from gramian.evaluate import (
    error_reject_points,
)


@given(seed=st.integers(0, 2**31))
def test_each_point_of_the_error_reject_curve_is_a_rule(seed):
    rng = np.random.default_rng(seed)
    P = np.round(rng.dirichlet([1, 1, 1], size=25), 1)
    P /= P.sum(axis=1, keepdims=True)
    y = np.r_[0, 1, 2, rng.integers(3, size=22)]
    found = error_reject_points(y, P)
    assert found.rejected[0] == 0
    assert (np.diff(found.rejected) > 0).all()
    for cost, rejected, error in zip(*found, strict=True):
        answered = least_risk(conditional_risk(P), cost) >= 0
        assert rejected == pytest.approx(1 - answered.mean())
        assert error == pytest.approx((P.argmax(axis=1) != y)[answered].mean())


def test_a_class_that_is_missing_must_be_named():
    P = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
    with pytest.raises(ValueError, match="Pass classes if y_true lacks one"):
        error_reject_points([0, 2], P)
    assert error_reject_points([0, 2], P, classes=[0, 1, 2]).errors[0] == 1.0
