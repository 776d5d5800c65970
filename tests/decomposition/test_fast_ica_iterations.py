"""Contrast functions and iterations of FastICA."""

import numpy as np
import pytest

from gramian.base.errors import ParameterError
from gramian.decomposition.fast_ica_iterations import contrast_function

U = np.array([[-1.0, 0.5, 2.0]])


@pytest.mark.parametrize("fun", ["logcosh", "exp", "cube"])
def test_the_slope_is_the_mean_derivative(fun):
    contrast = contrast_function(fun, None)
    h = 1e-6
    numeric = ((contrast(U + h)[0] - contrast(U - h)[0]) / (2 * h)).mean(axis=-1)
    np.testing.assert_allclose(contrast(U)[1], numeric, rtol=1e-6)


def test_a_custom_function_must_return_values_and_mean_derivatives():
    with pytest.raises(ParameterError, match="fun must return two arrays"):
        contrast_function(lambda u: u, None)(U)
    with pytest.raises(ParameterError, match="keys of fun_args must be strings"):
        contrast_function(lambda u: (u, u), {1: 2})(U)
