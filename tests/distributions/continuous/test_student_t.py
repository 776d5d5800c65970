"""Student's t."""

import math

import pytest

from gramian.distributions import StudentT

pytestmark = pytest.mark.numeric


@pytest.mark.parametrize(
    ("df", "z", "expected"),
    [
        (1e10, 5.0, -13.418938518854672766),
        (3.0, 40.0, -13.562928577506396235),
        (0.5, 1e200, -692.60592120954517366),
    ],
)
def test_log_prob_keeps_its_digits(df, z, expected):
    """mpmath, 50 digits."""
    assert StudentT(df).log_prob(z) == pytest.approx(expected, rel=1e-13)


def test_quantiles_of_the_tables():
    """t with N - 1 = 9 degrees of freedom: 1.833 at 5%, 2.262 at 2.5%."""
    assert StudentT(9).quantile([0.95, 0.975]) == pytest.approx([1.833, 2.262], abs=5e-4)
    assert StudentT(4.5).quantile(1e-300) == pytest.approx(-6.7094554006634833e66, rel=1e-10)


def test_moments_that_do_not_exist():
    assert math.isnan(StudentT(1.0).mean)
    assert math.isnan(StudentT(1.0).variance)
    assert StudentT(2.0).variance == math.inf


@pytest.mark.parametrize(
    ("df", "density"), [(1e4, -0.9189635332046311), (1e6, -0.9189387832046727)]
)
def test_many_degrees_of_freedom_keep_their_digits(df, density):
    """mpmath, 50 digits; log B(df / 2, 1 / 2) by SciPy loses seven of them."""
    assert StudentT(df).log_prob(0.0) == pytest.approx(density, rel=1e-13)
