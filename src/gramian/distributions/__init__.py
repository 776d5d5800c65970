"""Probability distributions: densities, random draws, maximum likelihood, statistics that merge."""

from gramian.distributions.common.distribution import Distribution
from gramian.distributions.common.statistics import (
    SufficientMoments,
    SufficientStatistics,
    SufficientSums,
)
from gramian.distributions.conditional import ConditionalMean, conditional_mean
from gramian.distributions.continuous.beta import Beta
from gramian.distributions.continuous.gamma import Gamma
from gramian.distributions.continuous.gaussian import Gaussian
from gramian.distributions.discrete.bernoulli import Bernoulli
from gramian.distributions.discrete.binomial import Binomial
from gramian.distributions.discrete.categorical import Categorical
from gramian.distributions.discrete.poisson import Poisson
from gramian.distributions.multivariate.dirichlet import Dirichlet
from gramian.distributions.multivariate.multivariate_gaussian import (
    MultivariateGaussian,
    PrincipalAxes,
)

__all__ = [
    "Bernoulli",
    "Beta",
    "Binomial",
    "Categorical",
    "ConditionalMean",
    "Dirichlet",
    "Distribution",
    "Gamma",
    "Gaussian",
    "MultivariateGaussian",
    "Poisson",
    "PrincipalAxes",
    "SufficientMoments",
    "SufficientStatistics",
    "SufficientSums",
    "conditional_mean",
]
