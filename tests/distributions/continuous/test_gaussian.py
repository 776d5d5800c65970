"""The normal distribution in one dimension."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.distributions import Gaussian

pytestmark = pytest.mark.numeric


def test_maximum_likelihood_divides_by_n():
    """Mean and (1 / N) sum (x - m)^2, without the logarithm that some notes print inside."""
    x = np.array([1.0, 2.0, 4.0])
    fitted = Gaussian.fit(x)
    assert fitted.mean == pytest.approx(7 / 3)
    assert fitted.variance == pytest.approx(((x - 7 / 3) ** 2).sum() / 3)


def test_quantiles_of_the_standard_normal():
    """P(Z > z) = alpha; at 1e-300 by mpmath."""
    assert_allclose(Gaussian().quantile([0.95, 0.975, 0.995]), [1.644854, 1.959964, 2.575829], 1e-6)
    assert Gaussian().quantile(1e-300) == pytest.approx(-37.047096299361199, rel=1e-13)


def test_density_at_40_sigma():
    assert Gaussian(1.0, 4.0).log_prob(81.0) == pytest.approx(
        -800 - 0.5 * np.log(2 * np.pi) - np.log(2), rel=1e-14
    )


def test_variance_0_is_a_point_mass():
    point = Gaussian.fit([2.0])
    assert point == Gaussian(2.0, 0.0)
    assert point.log_prob([2.0, 2.1]).tolist() == [0.0, -np.inf]
    assert point.cdf([1.9, 2.0]).tolist() == [0.0, 1.0]
    assert point.quantile([0.1, 0.9]).tolist() == [2.0, 2.0]
    assert point.sample(3, 0).tolist() == [2.0] * 3
    assert point.entropy() == 0
    assert point.mgf(1.0) == pytest.approx(np.exp(2))


def test_tiny_and_huge_scales():
    for scale in (1e-150, 1e150):
        g = Gaussian(0.0, scale**2)
        assert g.log_prob(scale) == pytest.approx(-0.5 - 0.5 * np.log(2 * np.pi) - np.log(scale))


def test_a_negative_variance_is_rejected():
    with pytest.raises(ParameterError, match=r"variance must be a number in \[0, inf\); got -1"):
        Gaussian(0, -1)
