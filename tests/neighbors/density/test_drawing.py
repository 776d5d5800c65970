"""Steps drawn from kernels have the moments of the kernels."""

import numpy as np
import pytest

from gramian.neighbors.density.drawing import draw_steps
from gramian.neighbors.density.kernels import KERNELS, log_radial_integral


@pytest.mark.parametrize("p", [1.0, 2.0, 3.0, np.inf])
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("kernel", KERNELS)
def test_mean_square_of_the_radius(kernel, d, p):
    rng = np.random.default_rng(0)
    steps = draw_steps(kernel, 20_000, d, p, rng)
    radii = np.linalg.norm(steps, ord=p, axis=1)
    # E r^2 is the integral of K(r) r^(d + 1) over that of K(r) r^(d - 1)
    expected = np.exp(log_radial_integral(kernel, d + 2) - log_radial_integral(kernel, d))
    error = np.std(radii**2) / np.sqrt(len(radii))
    assert np.mean(radii**2) == pytest.approx(expected, abs=5 * error)
    np.testing.assert_allclose(steps.mean(axis=0), 0, atol=5 * steps.std() / np.sqrt(len(steps)))
