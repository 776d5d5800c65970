"""Learning rates that fall with time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import ParameterError
from gramian.solvers import InverseRoot, InverseTime, Staircase


@given(t=st.integers(1, 1000))
def test_schedules(t):
    assert InverseTime(2.0, half=5.0)(t) == pytest.approx(2 / (1 + (t - 1) / 5))
    assert InverseRoot(2.0)(t) == pytest.approx(2 / t**0.5)
    assert Staircase(2.0, every=10, factor=0.9)(t) == pytest.approx(2 * 0.9 ** ((t - 1) // 10))
    assert all(s(1) == 2.0 for s in (InverseTime(2.0), InverseRoot(2.0), Staircase(2.0)))


def test_the_fields_of_schedules_are_checked():
    with pytest.raises(ParameterError, match="InverseRoot: step must be a number > 0; got -1"):
        InverseRoot(-1)
    with pytest.raises(ParameterError, match="Staircase: every must be an integer >= 1; got 0"):
        Staircase(1.0, every=0)
