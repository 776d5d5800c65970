"""The gamma distribution function where its argument underflows."""

import numpy as np
import pytest
from scipy import special

from gramian.distributions.common.gamma_tails import gamma_cdf, gamma_sf, log_small_quantile

pytestmark = pytest.mark.numeric


def test_both_tails_continue_where_the_argument_underflows():
    """P(Y <= y) = y^a / Gamma(a + 1): from y = 1e-280 to y = 1e-300 it falls by 1e-20^a."""
    above, below = np.array(1e-280), np.array(1e-300)
    a = 0.02
    near, far = (gamma_cdf(a, y, lambda y=y: np.log(y)) for y in (above, below))
    assert near == pytest.approx(special.gammainc(a, 1e-280), rel=1e-14)
    assert far / near == pytest.approx(1e-20**a, rel=1e-12)
    assert gamma_sf(a, below, lambda: np.log(1e-300)) == pytest.approx(1 - far, rel=1e-14)
    assert gamma_cdf(a, np.array(0.0), lambda: -1000.0) == pytest.approx(
        np.exp(-20) / special.gamma(1.02), rel=1e-12
    )


def test_a_tiny_quantile_inverts_the_distribution_function():
    log_y = log_small_quantile(0.02, 0.25)
    assert log_y == pytest.approx(np.log(special.gammaincinv(0.02, 0.25)), rel=1e-12)
    assert gamma_cdf(1e-3, np.array(0.0), lambda: log_small_quantile(1e-3, 0.25)) == pytest.approx(
        0.25, rel=1e-12
    )
