"""Activations and their derivatives."""

import numpy as np
import pytest

from gramian.neural_network.training.activations import activated, times_derivative


@pytest.mark.parametrize("name", ["relu", "tanh", "sigmoid", "identity"])
def test_derivatives_agree_with_differences(name):
    x, h = np.array([-2.0, -0.3, 0.4, 3.0]), 1e-6
    slopes = (activated(name, x + h) - activated(name, x - h)) / (2 * h)
    np.testing.assert_allclose(
        times_derivative(name, np.ones(4), activated(name, x)), slopes, atol=1e-9
    )


@pytest.mark.parametrize("name", ["relu", "tanh", "sigmoid", "identity"])
def test_single_precision_stays(name):
    x = np.linspace(-1, 1, 5, dtype=np.float32)
    value = activated(name, x)
    assert value.dtype == times_derivative(name, x, value).dtype == np.float32
