"""Kernels: normalisers by numerical integration."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from gramian.neighbors.density.kernels import (
    KERNELS,
    log_normaliser,
    log_radial_integral,
    log_unit_ball,
    rule_of_thumb,
)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 20, 50])
def test_radial_integrals(kernel, d):
    def value(r):
        return float(
            np.exp(KERNELS[kernel].log_weight(np.array([r]), 1.0)[0] + (d - 1) * np.log(r))
        )

    peak = max(d - 1.0, 1.0)
    ends = (
        [0.0, 1.0]
        if not KERNELS[kernel].has_unbounded_support
        else [0.0, peak, 3 * peak + 40, 8 * peak + 200]
    )
    total = sum(quad(value, a, b, limit=200)[0] for a, b in pairwise(ends))
    assert log_radial_integral(kernel, d) == pytest.approx(np.log(total), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("h", [0.2, 3.0])
def test_kernels_on_a_line_integrate_to_one(kernel, h):
    x = np.linspace(-60 * h, 60 * h, 480_001)
    K = np.exp(KERNELS[kernel].log_weight(np.abs(x), h) + log_normaliser(kernel, 1, h))
    assert np.trapezoid(K, x) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(("p", "area"), [(1.0, 2.0), (2.0, np.pi), (np.inf, 4.0)])
def test_areas_of_unit_balls(p, area):
    assert np.exp(log_unit_ball(2, p)) == pytest.approx(area)


def test_rules_of_thumb_agree_in_the_plane():
    assert rule_of_thumb("scott", 500, 2) == pytest.approx(rule_of_thumb("silverman", 500, 2))


def test_reach_and_scale():
    h = np.array([2.0])
    assert KERNELS["gaussian"].scale(h) == pytest.approx(1 / 8)
    assert KERNELS["gaussian"].max_distance(h, 3.0) == pytest.approx(24)
    assert KERNELS["epanechnikov"].max_distance(h, 3.0) == 4
    assert KERNELS["tophat"].max_distance(h, 3.0) == 2
