"""Inverse gamma."""

import math

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.distributions import Gamma, InverseGamma


def test_quantile_at_1e_300():
    """mpmath."""
    assert InverseGamma(3.5).quantile(1e-300) == pytest.approx(0.0014164766332558801, rel=1e-10)


def test_fit_matches_the_inverses():
    x = InverseGamma(3.0, 2.0).sample(100, random_state=0)
    mine, theirs = InverseGamma.fit(x), Gamma.fit(1 / x)
    assert (mine.shape, mine.scale) == pytest.approx((theirs.shape, theirs.rate))


def test_moments_that_do_not_exist_are_infinite():
    assert InverseGamma(0.5).mean == math.inf
    assert InverseGamma(1.5).variance == math.inf
    assert InverseGamma(3.0, 4.0).mode == 1.0


def test_mgf_is_finite_only_below_0():
    assert InverseGamma(2.0).mgf([-1e-9, 0.0, 1.0]).tolist() == [pytest.approx(1), 1.0, np.inf]


def test_0_is_outside_the_support():
    with pytest.raises(DataError, match="InverseGamma: events must be numbers > 0"):
        InverseGamma.fit([0.0, 1.0])
