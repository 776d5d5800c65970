"""Uniform."""

import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Uniform


def test_ends_must_be_in_order():
    with pytest.raises(ParameterError, match="low must be less than high"):
        Uniform(1, 1)
    with pytest.raises(ParameterError, match="high - low finite"):
        Uniform(-1e308, 1e308)


def test_equal_events_have_no_maximum():
    with pytest.raises(DataError, match="all events are 2"):
        Uniform.fit([2.0, 2.0])


def test_mgf_near_0():
    assert Uniform(1, 3).mgf(1e-9) == pytest.approx(1 + 2e-9, rel=1e-15)
    assert Uniform(1, 3).mgf(1.0) == pytest.approx((np.exp(3) - np.exp(1)) / 2)
