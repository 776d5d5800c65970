"""Probability distributions: densities, random draws, maximum likelihood, statistics that merge."""

from gramian.distributions.common.distribution import Distribution
from gramian.distributions.common.statistics import (
    SufficientCounts,
    SufficientMoments,
    SufficientRange,
    SufficientSample,
    SufficientStatistics,
    SufficientSums,
)
from gramian.distributions.conditional import ConditionalMean, conditional_mean
from gramian.distributions.continuous.beta import Beta
from gramian.distributions.continuous.chi_squared import ChiSquared
from gramian.distributions.continuous.exponential import Exponential
from gramian.distributions.continuous.gamma import Gamma
from gramian.distributions.continuous.gaussian import Gaussian
from gramian.distributions.continuous.inverse_gamma import InverseGamma
from gramian.distributions.continuous.student_t import StudentT
from gramian.distributions.continuous.uniform import Uniform
from gramian.distributions.discrete.bernoulli import Bernoulli
from gramian.distributions.discrete.beta_binomial import BetaBinomial
from gramian.distributions.discrete.binomial import Binomial
from gramian.distributions.discrete.categorical import Categorical
from gramian.distributions.discrete.dirichlet_multinomial import DirichletMultinomial
from gramian.distributions.discrete.multinomial import Multinomial
from gramian.distributions.discrete.negative_binomial import NegativeBinomial
from gramian.distributions.discrete.poisson import Poisson
from gramian.distributions.models.additive_noise import AdditiveNoise
from gramian.distributions.models.empirical import Empirical
from gramian.distributions.models.exponential_family import ConjugatePrior, ExponentialFamily
from gramian.distributions.models.generative_model import GenerativeModel
from gramian.distributions.models.mixture import Mixture
from gramian.distributions.models.natural_form import NaturalForm
from gramian.distributions.models.natural_forms import natural_form
from gramian.distributions.multivariate.dirichlet import Dirichlet
from gramian.distributions.multivariate.inverse_wishart import InverseWishart
from gramian.distributions.multivariate.multivariate_gaussian import (
    MultivariateGaussian,
    PrincipalAxes,
)
from gramian.distributions.multivariate.multivariate_student_t import MultivariateStudentT
from gramian.distributions.multivariate.normal_inverse_wishart import NormalInverseWishart

__all__ = [
    "AdditiveNoise",
    "Bernoulli",
    "Beta",
    "BetaBinomial",
    "Binomial",
    "Categorical",
    "ChiSquared",
    "ConditionalMean",
    "ConjugatePrior",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Empirical",
    "Exponential",
    "ExponentialFamily",
    "Gamma",
    "Gaussian",
    "GenerativeModel",
    "InverseGamma",
    "InverseWishart",
    "Mixture",
    "Multinomial",
    "MultivariateGaussian",
    "MultivariateStudentT",
    "NaturalForm",
    "NegativeBinomial",
    "NormalInverseWishart",
    "Poisson",
    "PrincipalAxes",
    "StudentT",
    "SufficientCounts",
    "SufficientMoments",
    "SufficientRange",
    "SufficientSample",
    "SufficientStatistics",
    "SufficientSums",
    "Uniform",
    "conditional_mean",
    "natural_form",
]
