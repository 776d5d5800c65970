"""The equations of maximum likelihood with digamma functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import psi

from gramian.base.errors import DataError
from gramian.distributions.common.digamma_equations import (
    dirichlet_concentration,
    gamma_shape,
    inverse_digamma,
)


@given(st.floats(1e-3, 1e8))
def test_inverse_digamma(x):
    assert inverse_digamma(psi(x)) == pytest.approx(x, rel=1e-9)


@given(st.lists(st.floats(0.02, 1e3), min_size=2, max_size=8))
def test_concentration_is_found_from_its_expected_logarithms(alpha):
    alpha = np.array(alpha)
    found = dirichlet_concentration("D", psi(alpha) - psi(alpha.sum()))
    assert_allclose(found, alpha, rtol=1e-6)


@given(st.floats(1e-3, 1e5))
def test_gamma_shape_solves_its_equation(a):
    assert gamma_shape("G", np.log(a) - psi(a)) == pytest.approx(a, rel=1e-5)


def test_equal_rows_have_no_maximum():
    with pytest.raises(DataError, match="D: the likelihood is unbounded"):
        dirichlet_concentration("D", np.log([0.25, 0.75]))
    with pytest.raises(DataError, match="use events that differ"):
        gamma_shape("G", 0.0)
