import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import (
    Beta,
    Gamma,
    Gaussian,
    InverseGamma,
    Mixture,
    MultivariateGaussian,
    Poisson,
    StudentT,
)
from gramian.textbook.estimation import expectation, jensen_gap
from gramian.textbook.estimation.known_density import KnownDensity


@pytest.mark.parametrize(
    ("distribution", "mean", "variance"),
    [
        (Gaussian(2.0, 9.0), 2.0, 9.0),
        (Gamma(0.7, 2.0), 0.35, 0.175),
        (Beta(0.5, 3.0), 1 / 7, 1.5 / 3.5**2 / 4.5),
        (Poisson(4.0), 4.0, 4.0),
        (stats.t(5), 0.0, 5 / 3),
        (stats.binom(9, 0.2), 1.8, 1.44),
    ],
)
def test_moments_by_quadrature_or_sum(distribution, mean, variance):
    assert expectation(lambda x: x, distribution).value == pytest.approx(mean, abs=1e-8)
    found = expectation(lambda x: (x - mean) ** 2, distribution)
    assert found.value == pytest.approx(variance, rel=1e-7)
    both = expectation(lambda x: x**2, distribution).value - mean**2  # the other way
    assert both == pytest.approx(variance, rel=1e-7)


def test_a_sample_reports_its_standard_error():
    exact = expectation(np.cos, Gaussian())
    assert exact.method == "quadrature"
    assert exact.value == pytest.approx(np.exp(-0.5), rel=1e-10)
    drawn = expectation(np.cos, Gaussian(), method="sampling", random_state=0)
    assert drawn.method == "sampling"
    assert abs(drawn.value - exact.value) < 4 * drawn.error
    assert drawn.error == pytest.approx(np.sqrt((1 + np.exp(-2)) / 2 - np.exp(-1)) / 316, rel=0.1)
    again = expectation(np.cos, Gaussian(), method="sampling", random_state=0)
    assert again.value == drawn.value


def test_probability_is_the_mean_of_the_indicator():
    dice = (np.arange(1, 7), np.full(6, 1 / 6))
    assert expectation(lambda x: x >= 5, dice).value == pytest.approx(1 / 3)
    x = stats.norm().rvs(4000, random_state=0)
    found = expectation(lambda x: x > 1, x)
    assert found.value == pytest.approx((x > 1).mean())
    p = found.value
    assert found.error == pytest.approx(np.sqrt(p * (1 - p) / 3999))


@pytest.mark.parametrize(
    ("f", "distribution", "exact"),
    [
        (lambda x: (x > 1) & (x < 1.01), Gaussian(), stats.norm.cdf(1.01) - stats.norm.cdf(1)),
        (np.square, Mixture([0.5, 0.5], [Gaussian(0, 1e-4), Gaussian(1e3, 1e-4)]), 500000.0001),
        (np.square, Gaussian(1e6, 1e-6), 1e12),
        (lambda x: x, Gaussian(1e6, 1e-2), 1e6),
        (lambda x: x, InverseGamma(1.2, 1.0), 5.0),
        (np.square, StudentT(2.1), 21.0),
    ],
)
def test_narrow_events_and_modes_are_seen_and_the_error_holds(f, distribution, exact):
    found = expectation(f, distribution)
    assert found.method == "quadrature"
    assert abs(found.value - exact) <= found.error + 1e-15 * abs(exact)
    assert found.error < 1e-9 * abs(exact)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("f", "distribution"),
    [
        (np.square, StudentT(1.0)),
        (np.square, StudentT(2.0)),
        (lambda x: x, InverseGamma(0.5, 1.0)),
        (lambda x: x, Mixture([0.9, 0.1], [Gaussian(), StudentT(1.0)])),
        (np.exp, Gamma(1.0, 0.5)),
    ],
)
def test_infinite_expectations_are_refused(f, distribution):
    with pytest.raises(DataError, match=r"does not converge|not finite"):
        expectation(f, distribution)


@pytest.mark.slow
def test_without_quantiles_or_accuracy_a_sample_is_drawn():
    draw = lambda n, rng: rng.normal(size=n)  # noqa: E731
    bare = KnownDensity(stats.norm().logpdf, draw, None, None, 1, False, 0.0, 1.0)
    found = expectation(np.square, bare, random_state=0)
    assert found.method == "sampling"
    assert abs(found.value - 1) < 4 * found.error
    with pytest.raises(ParameterError, match="needs quantiles"):
        expectation(np.square, bare, method="quadrature")
    wild = lambda x: np.cos(1e12 * x) ** 2  # noqa: E731
    rough = expectation(wild, Gaussian(), random_state=0)
    assert rough.method == "sampling"
    assert abs(rough.value - 0.5) < 4 * rough.error
    asked = expectation(wild, Gaussian(), method="quadrature")
    assert asked.method == "quadrature"
    assert abs(asked.value - 0.5) < asked.error


def test_vectors_are_sampled():
    both = MultivariateGaussian([0, 1], [[2, 1], [1, 3]])
    found = expectation(lambda x: x[:, 0] * x[:, 1], both, random_state=1)
    assert abs(found.value - 1) < 4 * found.error
    several = expectation(lambda x: x, both, random_state=0)
    assert several.value.shape == (2,)


@given(arrays(float, st.integers(1, 20), elements=st.floats(0.1, 9.0)))
def test_jensens_inequality(x):
    assert jensen_gap(np.square, x) >= -1e-9
    assert jensen_gap(np.exp, x) >= -1e-9
    assert jensen_gap(np.log, x) <= 1e-9
    assert jensen_gap(lambda t: 2 * t + 1, x) == pytest.approx(0, abs=1e-9)


def test_jensen_on_distributions_and_tables():
    assert jensen_gap(np.square, Gaussian(1.0, 4.0)) == pytest.approx(4.0)
    assert jensen_gap(np.log, ([1, 2], [0.5, 0.5])) < 0


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"distribution": ([1, 2], [0.5, 0.6])}, "sum to one"),
        ({"distribution": ([1], [0.5], [0.5])}, "pair"),
        ({"distribution": []}, "at least one"),
        ({"distribution": "normal"}, "a distribution must be"),
        ({"distribution": Gaussian(), "method": "exact"}, "method must be"),
        ({"distribution": Gaussian(), "method": "sampling", "n_samples": 1}, "n_samples"),
        ({"distribution": [1.0, 2.0], "f": lambda x: 1.0}, "a number for each"),
        ({"distribution": Gaussian(), "f": lambda x: x[:, None]}, "a number for each"),
        (
            {"distribution": MultivariateGaussian([0, 0], np.eye(2)), "method": "quadrature"},
            "a univariate distribution",
        ),
    ],
)
def test_bad_input(arguments, match):
    with pytest.raises((DataError, ParameterError), match=match):
        expectation(**({"f": np.square} | arguments))
