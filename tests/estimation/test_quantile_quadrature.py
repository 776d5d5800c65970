import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gramian.base.errors import DataError
from gramian.distributions import Beta, Gaussian, StudentT, Uniform
from gramian.estimation.known_density import KnownDensity
from gramian.estimation.quantile_quadrature import integrate


def of(f, distribution):
    return integrate(f, KnownDensity.of("me", distribution))


@given(st.floats(-3, 3), st.floats(0.02, 3))
def test_no_jump_hides(low, width):
    found = of(lambda x: ((x > low) & (x < low + width)) * 1.0, Gaussian())
    exact = stats.norm.cdf(low + width) - stats.norm.cdf(low)
    assert abs(found.value - exact) <= found.error + 1e-15


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
def test_what_has_no_finite_integral_is_refused(f, distribution):
    with pytest.raises(DataError, match=r"does not settle|not finite"):
        of(f, distribution)
