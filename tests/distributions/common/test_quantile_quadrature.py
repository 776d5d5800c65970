from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gramian.base.errors import DataError
from gramian.distributions import Beta, Gaussian, StudentT, Uniform
from gramian.distributions.common.quantile_quadrature import (
    _HIGHEST,
    _JUMPS,
    _NODES,
    _WEIGHTS,
    has_quantiles,
    integrate,
)
from gramian.textbook.estimation.known_density import KnownDensity

SEARCHED = replace(KnownDensity.of("me", Gaussian()), slow_quantile=True)


def of(f, distribution):
    return integrate(f, KnownDensity.of("me", distribution))


@given(st.floats(-3, 3), st.floats(0.025, 3), st.sampled_from([Gaussian(), SEARCHED]))
def test_jumps_between_nodes_are_detected(low, width, distribution):
    found = of(lambda x: ((x > low) & (x < low + width)) * 1.0, distribution)
    exact = stats.norm.cdf(low + width) - stats.norm.cdf(low)
    assert abs(found.value - exact) <= found.error + 1e-15
    assert found.error < 1e-9  # 0.025 beyond 3 deviations is a ten-thousandth


def test_the_error_bound_is_valid_at_jumps():
    gaps = np.diff(_NODES)
    for which in range(1, 255):
        seen = (which >> np.arange(8)) & 1
        bound = _JUMPS * np.abs(seen @ _HIGHEST).sum()
        least = gaps @ np.minimum(seen[1:], seen[:-1])  # jumps may lie anywhere between two nodes
        most = gaps @ np.maximum(seen[1:], seen[:-1])
        assert max(_WEIGHTS @ seen - least, most - _WEIGHTS @ seen) <= bound


@pytest.mark.slow
@pytest.mark.parametrize(
    ("f", "distribution", "exact"),
    [
        (np.square, stats.genhyperbolic(1.2, 1.5, 0.3), None),
        (lambda x: x, stats.exponnorm(1.5), 1.5),
        (np.exp, stats.argus(1.5), None),
        (np.log, stats.argus(1.5), None),
    ],
)
def test_slow_quantiles_are_used_only_to_place_panels(f, distribution, exact):
    calls = []

    def counted(u):
        calls.append(np.size(u))
        return distribution.ppf(u)

    density = replace(KnownDensity.of("me", distribution), quantile=counted)
    assert density.slow_quantile
    found = integrate(f, density)
    assert sum(calls) < 160
    if exact is None:
        exact = distribution.expect(f, epsabs=1e-12, epsrel=1e-12)
    assert found.value == pytest.approx(exact, rel=1e-9)
    assert found.error < 1e-9


def test_has_quantiles_is_false_if_scipy_fails():
    assert has_quantiles(KnownDensity.of("me", Gaussian()))
    assert not has_quantiles(KnownDensity.of("me", stats.norminvgauss(1.5, 0.3)))


@pytest.mark.parametrize(
    ("f", "distribution", "exact"),
    [
        (lambda x: np.log(1 - x), Uniform(0, 1), -1.0),
        (lambda x: x**-0.5, Uniform(0, 1), 2.0),
        (lambda x: (1 - x) ** -0.5, Uniform(0, 1), 2.0),
        (lambda x: np.log(np.abs(x)), Gaussian(), -(np.euler_gamma + np.log(2)) / 2),
        (lambda x: x, Beta(3, 0.5), 6 / 7),
        (lambda x: x**2, stats.lognorm(2.0), np.exp(8)),
        (lambda x: x, stats.pareto(1.3), 13 / 3),
        (lambda x: x, Gaussian(1e200, 1e200), 1e200),  # narrower than the numbers there
    ],
)
def test_singular_ends_and_heavy_tails(f, distribution, exact):
    found = of(f, distribution)
    assert abs(found.value - exact) <= found.error
    assert found.error < 1e-6 * abs(exact)


@pytest.mark.parametrize(
    ("f", "distribution"),
    [
        (lambda x: 1 / x, Uniform(0, 1)),
        (lambda x: 1 / (1 - x), Uniform(0, 1)),
        (lambda x: x, stats.pareto(1.0)),
        (lambda x: x, StudentT(1.0)),
        (lambda x: x * np.nan, Gaussian()),
    ],
)
def test_infinite_integrals_raise_an_error(f, distribution):
    with pytest.raises(DataError, match=r"does not converge|not finite"):
        of(f, distribution)
