"""A printed p-value is on the same side of the level as the value itself."""

from hypothesis import given
from hypothesis import strategies as st

from gramian.study.findings.p_values import p_text


def test_two_digits_where_they_tell_enough():
    assert p_text(0.5) == "0.5"
    assert p_text(0.05, 0.05) == "0.05"
    assert p_text(0.04999999, 0.05) == "0.04999999"
    assert p_text(0.012345, 0.05) == "0.012"
    assert p_text(0.0123, 0.012) == "0.0123"


@given(st.floats(1e-4, 0.999), st.sampled_from([0.01, 0.05, 0.1]))
def test_rounding_never_crosses_the_level(p, alpha):
    shown = float(p_text(p, alpha))
    assert (shown < alpha, shown > alpha) == (p < alpha, p > alpha)
