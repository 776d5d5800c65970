"""A loss of the sigmoid of a score."""

from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.objectives import BinaryCrossEntropy, Logistic, SigmoidLoss


@given(y=st.floats(0, 1), z=st.floats(-20, 20))
def test_logistic_is_cross_entropy_behind_a_sigmoid(y, z):
    """-y ln s - (1 - y) ln(1 - s), with both minus signs."""
    composed = SigmoidLoss(BinaryCrossEntropy())
    assert_allclose(Logistic().value(y, z), composed.value(y, z), rtol=1e-6, atol=1e-9)
    assert Logistic().value(y, z) >= 0
