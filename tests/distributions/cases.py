"""Members of every family, and how they are fitted, for tests that hold for all."""

import numpy as np
import scipy.stats as st

from gramian.distributions import (
    Bernoulli,
    Beta,
    BetaBinomial,
    Binomial,
    Categorical,
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
    Poisson,
    StudentT,
    Uniform,
)

S = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 0.7]])

# Numbers, beside SciPy's distribution of the same name.
SCALAR = [
    (Bernoulli(0.3), st.bernoulli(0.3)),
    (Binomial(20, 0.3), st.binom(20, 0.3)),
    (Categorical([0.2, 0.5, 0.3]), st.rv_discrete(values=([0, 1, 2], [0.2, 0.5, 0.3]))),
    (Poisson(3.5), st.poisson(3.5)),
    (NegativeBinomial(2.5, 0.3), st.nbinom(2.5, 0.3)),
    (BetaBinomial(12, 2.0, 3.5), st.betabinom(12, 2.0, 3.5)),
    (Exponential(2.5), st.expon(scale=0.4)),
    (Gamma(2.5, 3.0), st.gamma(2.5, scale=1 / 3)),
    (Gamma(0.3, 3.0), st.gamma(0.3, scale=1 / 3)),
    (Beta(2.0, 3.5), st.beta(2.0, 3.5)),
    (Beta(0.7, 1.0), st.beta(0.7, 1.0)),
    (Gaussian(1.0, 4.0), st.norm(1.0, 2.0)),
    (InverseGamma(3.5, 2.0), st.invgamma(3.5, scale=2.0)),
    (ChiSquared(3.0), st.chi2(3.0)),
    (StudentT(5.5, 1.0, 2.0), st.t(5.5, 1.0, 2.0)),
    (Uniform(-1.0, 3.0), st.uniform(-1.0, 4.0)),
]

# Members that a fit can find again, with what is known.
FITTED = [
    (Bernoulli(0.3), {}),
    (Binomial(20, 0.3), {"n": 20}),
    (Categorical([0.2, 0.5, 0.3]), {}),
    (Multinomial(5, [0.2, 0.5, 0.3]), {"n": 5}),
    (Poisson(3.5), {}),
    (NegativeBinomial(2.5, 0.3), {}),
    (NegativeBinomial(2.5, 0.3), {"r": 2.5}),
    (BetaBinomial(12, 2.0, 3.5), {"n": 12}),
    (DirichletMultinomial(9, [0.8, 3.0, 1.5]), {"n": 9}),
    (Exponential(2.5), {}),
    (Gamma(2.5, 3.0), {}),
    (Gamma(0.3, 3.0), {"shape": 0.3}),
    (Beta(2.0, 3.5), {}),
    (Beta(0.3, 0.6), {}),
    (Gaussian(1.0, 4.0), {}),
    (InverseGamma(3.5, 2.0), {}),
    (ChiSquared(3.0), {}),
    (StudentT(4.0, 1.0, 2.0), {}),
    (StudentT(4.0, 1.0, 2.0), {"df": 4.0}),
    (Uniform(-1.0, 3.0), {}),
    (Dirichlet([0.8, 3.0, 1.5]), {}),
    (MultivariateGaussian([1.0, -2.0, 0.5], S), {}),
    (MultivariateStudentT(5.0, [1.0, -2.0, 0.5], S), {}),
    (InverseWishart(7.5, S), {}),
]


def name(value):
    """The name of a case in a test's id."""
    if isinstance(value, dict):
        return ",".join(value) or "all"
    return type(value).__name__
