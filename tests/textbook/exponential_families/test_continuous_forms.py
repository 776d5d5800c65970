"""Natural forms of continuous distributions: natural parameters of the textbook."""

import numpy as np
import pytest

from gramian.distributions import Exponential, Gaussian
from gramian.textbook.exponential_families.continuous_forms import exponential_form, gaussian_form


def test_the_gaussian_parameters_are_mean_over_variance_and_minus_half_the_precision():
    eta = gaussian_form().natural_parameter(Gaussian(1.0, 4.0))
    np.testing.assert_allclose(eta, [0.25, -0.125])
    member = gaussian_form().member(eta)
    assert (member.mean, member.variance) == pytest.approx((1.0, 4.0))


def test_the_exponential_parameter_is_minus_the_rate():
    assert exponential_form().natural_parameter(Exponential(2.5))[0] == pytest.approx(-2.5)
