"""Predictive distributions: the likelihood averaged over the distribution of the parameter."""

from typing import Any

import numpy as np
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.distributions import (
    Bernoulli,
    Beta,
    BetaBinomial,
    Binomial,
    Categorical,
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


def predictive(belief: Any, likelihood: type[Any] | None = None, **known: Any) -> Any:
    r"""Return the predictive distribution int p(x | theta) p(theta) dtheta.

    `belief` is a prior or a posterior. The plug-in distribution p(x | theta_MAP) ignores the
    uncertainty of the parameter and is narrower.

    Parameters
    ----------
    belief
        A distribution of the parameter, such as `posterior` returns.
    likelihood
        The class of the observations' distribution; None as for `posterior`.
    **known
        Parameters of the likelihood that are known, as for `posterior`.

    Returns
    -------
    distribution
        The distribution of the next observation: Bernoulli, BetaBinomial, Categorical,
        DirichletMultinomial, NegativeBinomial, Gaussian, StudentT, MultivariateGaussian,
        MultivariateStudentT; SciPy's `lomax` for exponential waiting times.

    Examples
    --------
    Beta(2, 2) after 8 heads and 2 tails: the next toss is heads with probability 10/14.

    >>> from gramian.distributions import Beta
    >>> from gramian.textbook.estimation import posterior, predictive
    >>> round(predictive(posterior(Beta(2, 2), [1] * 8 + [0] * 2)).p, 6)
    0.714286
    """
    unused = known.copy()

    def ask(name: str) -> Any:
        if name not in unused:
            raise ParameterError(
                f"predictive: {type(belief).__name__} needs the known parameter {name}; pass "
                f"{name}=."
            )
        return unused.pop(name)

    found = _predict(belief, likelihood, ask)
    if found is None:
        raise ParameterError(
            f"predictive: no closed form for {type(belief).__name__} with likelihood="
            f"{getattr(likelihood, '__name__', likelihood)}; average over draws or a grid instead, "
            "see GridPosterior.predictive."
        )
    if unused:
        raise ParameterError(f"predictive: {', '.join(unused)} are not used here.")
    return found


def _predict(belief: Any, likelihood: type[Any] | None, ask: Any) -> Any:
    pair = (type(belief), likelihood)
    if pair in ((Beta, None), (Beta, Bernoulli)):
        return Bernoulli(belief.mean)
    if pair == (Beta, Binomial):
        return BetaBinomial(ask("n"), belief.a, belief.b)
    if pair in ((Dirichlet, None), (Dirichlet, Categorical)):
        return Categorical(belief.alpha / belief.alpha.sum())
    if pair == (Dirichlet, Multinomial):
        return DirichletMultinomial(ask("n"), belief.alpha)
    if pair == (Gamma, Poisson):
        return NegativeBinomial(belief.shape, belief.rate / (belief.rate + 1))
    if pair == (Gamma, Exponential):
        return stats.lomax(belief.shape, scale=belief.rate)
    if pair in ((Gaussian, None), (Gaussian, Gaussian)):
        return Gaussian(belief.mean, belief.variance + Gaussian(0.0, ask("variance")).variance)
    if pair in ((MultivariateGaussian, None), (MultivariateGaussian, MultivariateGaussian)):
        noise = MultivariateGaussian(belief.mean, ask("covariance")).covariance  # checked
        return MultivariateGaussian(belief.mean, belief.covariance + noise)
    if pair in ((InverseGamma, None), (InverseGamma, Gaussian)):
        scale = np.sqrt(belief.scale / belief.shape)
        return StudentT(2 * belief.shape, ask("mean"), float(scale))
    if pair in ((InverseWishart, None), (InverseWishart, MultivariateGaussian)):
        free = belief.df - len(belief.scale) + 1
        return MultivariateStudentT(free, ask("mean"), belief.scale / free)
    if pair in ((NormalInverseWishart, None), (NormalInverseWishart, MultivariateGaussian)):
        return belief.predictive()
    return None
