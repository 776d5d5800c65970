"""Kernel sums on the sphere."""

import numpy as np
import pytest

from gramian.neighbors.density.haversine import log_normaliser, log_sums
from gramian.neighbors.density.kernels import KERNELS


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("h", [0.02, 0.5])
def test_densities_on_the_sphere_integrate_to_one(kernel, h):
    polar = np.linspace(0, np.pi, 200_001)
    K = np.exp(KERNELS[kernel].log_weight(polar, h) + log_normaliser(kernel, h))
    assert 2 * np.pi * np.trapezoid(K * np.sin(polar), polar) == pytest.approx(1, rel=1e-3)


def test_sums_of_weights_far_away_are_finite_logarithms():
    X = np.array([[0.0, 0.0], [0.0, 0.1]])
    found = log_sums(X, np.array([2.0, 0.0]), np.array([[0.0, 3.0]]), "gaussian", 0.001)
    assert found[0] == pytest.approx(np.log(2) - 0.5 * 3.0**2 / 0.001**2)
