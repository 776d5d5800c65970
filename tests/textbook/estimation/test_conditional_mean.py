"""The conditional mean of a joint table, and that nothing beats it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.textbook.estimation import conditional_mean


def test_means_variances_and_risk_by_hand():
    """P(Y=1|x1) = 3/4, P(Y=1|x2) = 1/3: variances 3/16 and 2/9, P(x) = 0.4 and 0.6."""
    h = conditional_mean([[0.1, 0.3], [0.4, 0.2]], [0, 1])
    assert_allclose(h.mean, [3 / 4, 1 / 3])
    assert_allclose(h.variance, [3 / 16, 2 / 9])
    assert h.risk == pytest.approx(0.4 * 3 / 16 + 0.6 * 2 / 9)


@given(
    joint=arrays(np.float64, (3, 4), elements=st.integers(1, 9)),
    other=arrays(np.float64, 3, elements=st.floats(-5, 5)),
)
def test_no_function_of_x_has_a_smaller_risk(joint, other):
    """E (Y - g(X))^2 = E Var[Y|X] + E (g(X) - h(X))^2."""
    y = np.array([-1.0, 0.0, 2.0, 5.0])
    h = conditional_mean(joint, y)
    P = joint / joint.sum()
    risk = (P * (y - other[:, None]) ** 2).sum()
    assert risk == pytest.approx(h.risk + P.sum(axis=1) @ (other - h.mean) ** 2)
    assert P.sum(axis=1) @ h.mean == pytest.approx((P @ y).sum())  # E E[Y|X] = E Y


def test_counts_are_divided_by_their_sum():
    assert_allclose(
        conditional_mean([[1, 3], [4, 2]], [0, 1]).mean,
        conditional_mean([[0.1, 0.3], [0.4, 0.2]], [0, 1]).mean,
    )


def test_a_value_that_never_comes_has_no_mean():
    h = conditional_mean([[0, 0], [1, 1]], [0, 1])
    assert np.isnan(h.mean[0])
    assert h.mean[1] == 0.5
    assert h.risk == 0.25


@pytest.mark.parametrize(
    ("joint", "message"),
    [([[1, 2, 3]], r"got shapes \(1, 3\) and \(2,\)"), ([[1, -1]], "none negative"),
     ([[0, 0]], "not all zero")],
)  # fmt: skip
def test_what_is_no_joint_table_is_refused(joint, message):
    with pytest.raises(DataError, match=message):
        conditional_mean(joint, [0, 1])
