"""Tails and extreme parameters against many digits of arithmetic (see tail_references.py)."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.distributions import (
    Bernoulli,
    Beta,
    BetaBinomial,
    Binomial,
    ChiSquared,
    Dirichlet,
    DirichletMultinomial,
    Exponential,
    Gamma,
    Gaussian,
    InverseGamma,
    InverseWishart,
    Multinomial,
    MultivariateGaussian,
    MultivariateStudentT,
    NegativeBinomial,
    NormalInverseWishart,
    Poisson,
    StudentT,
)
from gramian.textbook.exponential_families import natural_form

pytestmark = pytest.mark.numeric

REFERENCES = json.loads(Path(__file__).with_name("tail_references.json").read_text("utf-8"))
ROUNDING = np.finfo(np.float64).eps
LEAST = 5e-324  # the distance of denormal numbers


def halves(values):
    middle = len(values) // 2
    return values[:middle], values[middle:]


def symmetric(first, cross, second):
    return [[first, cross], [cross, second]]


FAMILIES = {
    "Bernoulli": Bernoulli,
    "Beta": Beta,
    "BetaBinomial": lambda n, *rest: BetaBinomial(int(n), *rest),
    "Binomial": lambda n, *rest: Binomial(int(n), *rest),
    "ChiSquared": ChiSquared,
    "Exponential": Exponential,
    "Gamma": Gamma,
    "Gaussian": Gaussian,
    "InverseGamma": InverseGamma,
    "NegativeBinomial": NegativeBinomial,
    "Poisson": Poisson,
    "StudentT": StudentT,
}
# Where inputs are not the parameters followed by the event.
SPECIAL = {
    "Beta.entropy": lambda a, b: Beta(a, b).entropy(),
    "Dirichlet.entropy": lambda *alpha: Dirichlet(alpha).entropy(),
    "Dirichlet.log_prob": lambda *held: Dirichlet(halves(held)[0]).log_prob(halves(held)[1]),
    "DirichletMultinomial.log_prob": lambda n, *held: DirichletMultinomial(
        int(n), halves(held)[0]
    ).log_prob(halves(held)[1]),
    "Dirichlet.variance": lambda *alpha: Dirichlet(alpha).variance[0],
    "DirichletMultinomial.entropy": lambda n, *alpha: DirichletMultinomial(int(n), alpha).entropy(),
    "DirichletMultinomial.variance": lambda n, *alpha: DirichletMultinomial(int(n), alpha).variance[
        0
    ],
    "InverseWishart.entropy": lambda df, *s: InverseWishart(df, np.diag(s)).entropy(),
    "InverseWishart.log_prob": lambda df, *held: InverseWishart(df, symmetric(*held[:3])).log_prob(
        symmetric(*held[3:])
    ),
    "Multinomial.entropy": lambda n, *p: Multinomial(int(n), p).entropy(),
    "NormalInverseWishart.log_prob": lambda kappa, df, *held: NormalInverseWishart(
        [0, 0], kappa, df, symmetric(*held[:3])
    ).log_prob((held[3:5], symmetric(*held[5:]))),
    "Multinomial.log_prob": lambda n, *held: Multinomial(int(n), halves(held)[0]).log_prob(
        halves(held)[1]
    ),
    "MultivariateGaussian.log_prob": lambda *held: MultivariateGaussian(
        [0, 0], symmetric(*held[:3])
    ).log_prob(held[3:]),
    "MultivariateStudentT.log_prob": lambda df, *held: MultivariateStudentT(
        df, [0, 0], symmetric(*held[:3])
    ).log_prob(held[3:]),
    "StudentT.entropy": lambda df, scale: StudentT(df, 0.0, scale).entropy(),
}


def compute(name, inputs):
    """Return what the package gives for a case."""
    if name in SPECIAL:
        return float(SPECIAL[name](*inputs))
    family, function = name.partition(",")[0].split(".")
    if function == "entropy":
        return FAMILIES[family](*inputs).entropy()
    if function == "variance":
        return FAMILIES[family](*inputs).variance
    if function == "natural":
        return float(natural_form(FAMILIES[family]).log_prob(inputs[-1:], inputs[:-1])[0])
    return float(getattr(FAMILIES[family](*inputs[:-1]), function)(inputs[-1]))


def allowed(value, condition):
    """Return the error that is let pass: 1e-12, or a few roundings of each input."""
    return abs(value) * max(1e-12, 16 * ROUNDING * condition) + LEAST


def test_there_are_2400_cases():
    assert sum(map(len, REFERENCES.values())) >= 2400


@pytest.mark.parametrize("name", REFERENCES)
def test_values_are_as_accurate_as_their_inputs(name):
    wrong = []
    for inputs, value, condition in REFERENCES[name]:
        found = compute(name, inputs)
        if not abs(found - value) <= allowed(value, condition):
            wrong.append((inputs, found, value, condition))
    assert wrong == []


def test_a_beta_binomial_probability_near_1_is_not_above_1():
    assert BetaBinomial(10, 1e8, 1e-5).log_prob(10) == pytest.approx(-9.99999955e-13, rel=1e-12)


def test_a_beta_binomial_with_a_tiny_parameter_and_many_trials():
    found = BetaBinomial(10**12, 3, 1e-5).log_prob(10**12)
    assert found == pytest.approx(-2.6708234806164817576e-4, rel=1e-13)


def test_a_dirichlet_with_large_parameters():
    """log Gamma(4 a) - 4 log Gamma(a) - 4 (a - 1) log 4 at its mean, a = 1e12."""
    found = Dirichlet([1e12] * 4).log_prob([0.25] * 4)
    assert found == pytest.approx(43.541746338198108753, rel=1e-14)


def test_a_multinomial_with_many_trials():
    found = Multinomial(10**9, [0.5, 0.25, 0.25]).log_prob([5 * 10**8, 25 * 10**7, 25 * 10**7])
    assert found == pytest.approx(-20.828274952705893366, rel=1e-14)


def test_a_negative_binomial_with_tiny_parameters():
    found = NegativeBinomial(1e-10, 1e-15).log_prob(1e12)
    assert found == pytest.approx(-50.657872046502058974, rel=1e-14)


def test_a_beta_density_with_a_large_and_a_small_parameter():
    found = Beta(1e6, 0.5).log_prob([0.5, 0.999999])
    assert found == pytest.approx([-693139.80544896341206, 12.243145989996607187], rel=1e-13)


def test_a_gamma_density_where_rate_times_x_underflows():
    assert Gamma(0.3, 1e-100).log_prob(1e-300) == pytest.approx(413.36951874411015778, rel=1e-14)


def test_the_normal_distribution_function_among_denormal_numbers():
    assert Gaussian().cdf(-38) == pytest.approx(2.885428352e-316, rel=1e-7)
    assert Gaussian().cdf([-38.4, -39]) == pytest.approx([6.6e-323, 0.0], rel=0.1, abs=5e-324)


def test_multinomial_probabilities_count_up_to_their_sum():
    """Thirds are no floats, and ten tenths do not sum to 1; they are divided by their exact sum."""
    assert Multinomial(3 * 10**12, [1 / 3] * 3).log_prob([10**12] * 3) == pytest.approx(
        -28.919592038004061068, rel=1e-13
    )


# Properties


SHAPES = st.floats(1e-8, 1e8)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 60), a=SHAPES, b=SHAPES)
def test_beta_binomial_probabilities_sum_to_1(n, a, b):
    logs = BetaBinomial(n, a, b).log_prob(np.arange(n + 1))
    assert (logs <= 0).all()
    assert np.exp(logs).sum() == pytest.approx(1, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 12), a=SHAPES, b=SHAPES, c=SHAPES)
def test_dirichlet_multinomial_probabilities_sum_to_1(n, a, b, c):
    counts = [(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)]
    logs = DirichletMultinomial(n, [a, b, c]).log_prob(counts)
    assert (logs <= 0).all()
    assert np.exp(logs).sum() == pytest.approx(1, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 200), p=st.floats(0, 1))
def test_binomial_probabilities_sum_to_1(n, p):
    logs = Binomial(n, p).log_prob(np.arange(n + 1))
    assert (logs <= 0).all()
    assert np.exp(logs).sum() == pytest.approx(1, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(size=st.floats(1e-10, 1e6), p=st.floats(1e-3, 1), rate=st.floats(0, 1e4))
def test_probabilities_sum_to_the_distribution_function(size, p, rate):
    for ours in (NegativeBinomial(size, p), Poisson(rate)):
        end = min(ours.mean + 10, 1e5)
        logs = ours.log_prob(np.arange(np.floor(end) + 1))
        assert (logs <= 0).all()
        assert np.exp(logs).sum() == pytest.approx(float(ours.cdf(end)), rel=1e-10)


@settings(max_examples=80, deadline=None)
@given(shape=SHAPES, level=st.floats(1e-12, 1 - 1e-12))
def test_tails_of_a_gamma_and_of_its_inverse_sum_to_1(shape, level):
    x = Gamma(shape).quantile(level)
    if x > 0 and np.isfinite(1 / x):
        assert Gamma(shape).cdf(x) + InverseGamma(shape).cdf(1 / x) == pytest.approx(1, rel=1e-11)


@settings(max_examples=80, deadline=None)
@given(a=SHAPES, b=SHAPES, x=st.integers(1, 2**40 - 1))
def test_tails_of_a_beta_and_of_its_mirror_image_sum_to_1(a, b, x):
    x /= 2**40  # so that 1 - x is not rounded
    assert Beta(a, b).cdf(x) + Beta(b, a).cdf(1 - x) == pytest.approx(1, rel=1e-12)
    mirrored = Beta(b, a).log_prob(1 - x)
    assert Beta(a, b).log_prob(x) == pytest.approx(mirrored, rel=1e-12, abs=1e-12)
