"""Tails and extreme parameters against many digits of arithmetic (see tail_references.py)."""

import json
from pathlib import Path

import numpy as np
import pytest

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
    natural_form,
)

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
def test_values_have_the_digits_that_their_inputs_allow(name):
    wrong = []
    for inputs, value, condition in REFERENCES[name]:
        found = compute(name, inputs)
        if not abs(found - value) <= allowed(value, condition):
            wrong.append((inputs, found, value, condition))
    assert wrong == []
