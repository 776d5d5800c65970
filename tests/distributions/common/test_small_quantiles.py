"""Quantiles at 1e-300, against forty digits of arithmetic."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special

from gramian.distributions.common.small_quantiles import beta_quantile, student_t_quantile

pytestmark = pytest.mark.numeric


def test_beta_quantile_at_1e_300():
    """mpmath; SciPy 1.17 gives NaN."""
    assert beta_quantile(2.0, 3.5, 1e-300) == pytest.approx(3.5634832254989918e-151, rel=1e-10)


def test_student_t_quantile_at_1e_300():
    """mpmath; SciPy 1.17 gives +inf for the first."""
    assert student_t_quantile(4.5, 1e-300) == pytest.approx(-6.7094554006634833e66, rel=1e-10)
    assert student_t_quantile(30.0, 1e-300) == pytest.approx(-50178575360.505081, rel=1e-10)


@pytest.mark.parametrize(("a", "b"), [(0.3, 2.0), (2.0, 3.5), (5.0, 0.7)])
def test_the_two_branches_meet(a, b):
    q = special.betainc(a, b, np.logspace(-20, -14, 13))
    assert_allclose(beta_quantile(a, b, q), np.logspace(-20, -14, 13), rtol=1e-9)
