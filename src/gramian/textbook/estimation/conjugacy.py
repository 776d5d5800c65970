r"""Posteriors in closed form: conjugate priors.

    prior                          likelihood                        posterior
    Beta(a, b)                     Bernoulli, Binomial               Beta(a + ones, b + zeros)
    Dirichlet(alpha)               Categorical, Multinomial          Dirichlet(alpha + counts)
    Gamma(shape, rate)             Poisson                           Gamma(shape + sum x, rate + n)
    Gamma(shape, rate)             Exponential                       Gamma(shape + n, rate + sum x)
    Gaussian                       Gaussian, variance known          Gaussian
    MultivariateGaussian           the same, covariance known        MultivariateGaussian
    InverseGamma(shape, scale)     Gaussian, mean known              InverseGamma
    InverseWishart(df, scale)      MultivariateGaussian, mean known  InverseWishart
    NormalInverseWishart           MultivariateGaussian              NormalInverseWishart

Reference: Bishop, Pattern Recognition and Machine Learning, 2006, sections 2.1 to 2.4; Murphy,
Conjugate Bayesian analysis of the Gaussian distribution, 2007.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Dirichlet,
    Exponential,
    Gamma,
    Gaussian,
    InverseGamma,
    InverseWishart,
    Multinomial,
    MultivariateGaussian,
    NormalInverseWishart,
    Poisson,
    SufficientMoments,
    SufficientStatistics,
    SufficientSums,
)


def posterior(
    prior: Any,
    data: Any,
    likelihood: type[Any] | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    **known: Any,
) -> Any:
    """Return the posterior of a conjugate prior, given data.

    It depends on the data only through their sufficient statistics, so observations one at a time
    (`update`), in batches or all at once give the same result; without observations it is the
    prior.

    Parameters
    ----------
    prior
        A distribution of the parameter: `Beta`, `Dirichlet`, `Gamma`, `Gaussian`,
        `MultivariateGaussian`, `InverseGamma`, `InverseWishart` or `NormalInverseWishart`.
    data
        Independent observations, or the sufficient statistics of `likelihood`.
    likelihood
        The class of the observations' distribution. None means `Bernoulli` for a Beta prior,
        `Categorical` for Dirichlet, `Gaussian` for Gaussian and InverseGamma,
        `MultivariateGaussian` for the others; a Gamma prior needs `Poisson` or `Exponential`.
    sample_weight
        Weights of the observations; weight k equals repeating the observation k times.
    **known
        Parameters of the likelihood that are known: ``n`` of Binomial and Multinomial,
        ``variance`` or ``mean`` of Gaussian, ``covariance`` or ``mean`` of MultivariateGaussian.

    Returns
    -------
    distribution
        The posterior, of the same class as the prior.

    Examples
    --------
    Beta(2, 2) and eight heads in ten tosses; a normal mean with known variance.

    >>> from gramian.distributions import Beta, Gaussian
    >>> from gramian.textbook.estimation import posterior
    >>> posterior(Beta(2, 2), [1] * 8 + [0] * 2)
    Beta(a=10.0, b=4.0)
    >>> posterior(Gaussian(0.0, 1.0), [1.0, 2.0, 2.0, 3.0], variance=4.0)
    Gaussian(mean=1.0, variance=0.5)
    """
    family, rule, names = _rule(prior, likelihood)
    if set(known) != set(names):
        raise ParameterError(
            f"posterior: {type(prior).__name__} with {family.__name__} needs "
            f"{'the known ' + ', '.join(names) if names else 'no known parameters'}; got "
            f"{', '.join(known) or 'none'}."
        )
    if isinstance(data, SufficientStatistics):
        statistics: Any = _of_family(family, data, known)
    else:
        fixed = {name: known[name] for name in names if name == "n"}
        if family is Categorical:
            fixed["n_categories"] = len(prior.alpha)
        statistics = family.sufficient_statistics(
            _rows(family, prior, data), sample_weight, **fixed
        )
    return rule(prior, statistics, *(known[name] for name in names)) if statistics.weight else prior


def update(
    prior: Any,
    observed: Any,
    likelihood: type[Any] | None = None,
    **known: Any,
) -> Any:
    """Return the posterior after one more observation or batch; it is the prior for the next.

    The prior summarises the earlier data, which are not needed.

    Parameters
    ----------
    prior
        The prior, or the posterior after earlier data.
    observed
        One observation or a batch.
    likelihood, **known
        As for `posterior`.

    Returns
    -------
    distribution
        The posterior, of the same class as the prior.

    Examples
    --------
    >>> from gramian.distributions import Beta
    >>> from gramian.textbook.estimation import update
    >>> belief = Beta(1, 1)
    >>> for toss in [1, 1, 0]:
    ...     belief = update(belief, toss)
    >>> belief
    Beta(a=3.0, b=2.0)
    """
    if isinstance(observed, SufficientStatistics):
        return posterior(prior, observed, likelihood, **known)
    family = _rule(prior, likelihood)[0]
    events = np.asarray(observed)
    one = events.ndim == family.event_ndim
    return posterior(prior, events[None] if one else events, likelihood, **known)


def _rows(family: type[Any], prior: Any, data: npt.ArrayLike) -> Any:
    """Return data; an empty list becomes empty rows of the right width."""
    rows = np.asarray(data)
    if rows.size == 0 and family.event_ndim == 1:
        width = len(prior.alpha if isinstance(prior, Dirichlet) else _width(prior))
        return np.empty((0, width))
    return rows


def _of_family(family: type[Any], statistics: Any, known: dict[str, Any]) -> Any:
    """Return the given statistics; raise if they belong to another family."""
    wanted = SufficientMoments if family in (Gaussian, MultivariateGaussian) else SufficientSums
    if not isinstance(statistics, wanted) or np.ndim(getattr(statistics, "mean", 0.0)) != (
        family is MultivariateGaussian
    ):
        raise DataError(
            f"posterior: the statistics must come from {family.__name__}.sufficient_statistics; "
            f"got {statistics!r}."
        )
    if "n" in known and statistics.fixed.get("n") != known["n"]:
        raise DataError(
            f"posterior: the statistics are of n={statistics.fixed.get('n')} trials; got "
            f"n={known['n']!r}."
        )
    return statistics


def _width(prior: Any) -> Any:
    return prior.scale if isinstance(prior, InverseWishart) else prior.mean


def _rule(prior: Any, likelihood: type[Any] | None) -> tuple[type[Any], Any, tuple[str, ...]]:
    """Return the likelihood, the posterior's function, and the names of known parameters."""
    of_prior = _RULES.get(type(prior))
    if of_prior is None:
        raise ParameterError(
            f"posterior: prior must be one of {', '.join(p.__name__ for p in _RULES)}; got "
            f"{prior!r}. For any other, use grid_posterior or maximum_a_posteriori."
        )
    if likelihood is None:
        if len(of_prior) > 1 and isinstance(prior, Gamma):
            raise ParameterError(
                "posterior: a Gamma prior is conjugate to Poisson and to Exponential; pass "
                "likelihood."
            )
        likelihood = next(iter(of_prior))
    if likelihood not in of_prior:
        raise ParameterError(
            f"posterior: {type(prior).__name__} is conjugate to "
            f"{', '.join(f.__name__ for f in of_prior)}; got likelihood={likelihood!r}."
        )
    rule, names = of_prior[likelihood]
    return likelihood, rule, names


def _beta_bernoulli(prior: Beta, s: SufficientSums) -> Beta:
    ones = float(s.total[0])
    return Beta(prior.a + ones, prior.b + s.weight - ones)


def _beta_binomial(prior: Beta, s: SufficientSums, n: int) -> Beta:
    ones = float(s.total[0])
    return Beta(prior.a + ones, prior.b + n * s.weight - ones)


def _dirichlet(prior: Dirichlet, s: SufficientSums, *_: Any) -> Dirichlet:
    if len(s.total) != len(prior.alpha):
        raise DataError(
            f"posterior: the prior has {len(prior.alpha)} categories, the data {len(s.total)}."
        )
    return Dirichlet(prior.alpha + s.total)


def _gamma_poisson(prior: Gamma, s: SufficientSums) -> Gamma:
    return Gamma(prior.shape + float(s.total[0]), prior.rate + s.weight)


def _gamma_exponential(prior: Gamma, s: SufficientSums) -> Gamma:
    return Gamma(prior.shape + s.weight, prior.rate + float(s.total[0]))


def _normal_mean(prior: Gaussian, s: SufficientMoments, variance: float) -> Gaussian:
    noise = Gaussian(0.0, variance).variance  # checked
    if prior.variance == 0:
        return prior
    if noise == 0:
        return Gaussian(s.mean, 0.0)
    data_weight = prior.variance / (
        prior.variance + noise / s.weight
    )  # weight of the data in the mean
    return Gaussian(
        prior.mean + data_weight * (s.mean - prior.mean), data_weight * noise / s.weight
    )


def _normal_means(
    prior: MultivariateGaussian, s: SufficientMoments, covariance: Any
) -> MultivariateGaussian:
    """Return the posterior by K = S0 (S0 + S / n)^-1, a Kalman gain, without inverting S0."""
    _check_coordinates(len(prior.mean), s)
    noise = MultivariateGaussian(prior.mean, covariance).covariance / s.weight  # checked
    gain = np.linalg.lstsq((prior.covariance + noise).T, prior.covariance.T, rcond=None)[0].T
    mean = prior.mean + gain @ (s.mean - prior.mean)
    after = gain @ noise
    return MultivariateGaussian(mean, (after + after.T) / 2)


def _normal_variance(prior: InverseGamma, s: SufficientMoments, mean: float) -> InverseGamma:
    squares = s.scatter + s.weight * (s.mean - Gaussian(mean).mean) ** 2  # the mean is checked
    return InverseGamma(prior.shape + s.weight / 2, prior.scale + squares / 2)


def _normal_covariance(prior: InverseWishart, s: SufficientMoments, mean: Any) -> InverseWishart:
    _check_coordinates(len(prior.scale), s)
    center = MultivariateGaussian(mean, np.eye(len(prior.scale))).mean  # checked
    deviations = s.mean - center
    squares = s.scatter + s.weight * np.outer(deviations, deviations)
    return InverseWishart(prior.df + s.weight, prior.scale + squares)


def _normal_both(prior: NormalInverseWishart, s: SufficientMoments) -> NormalInverseWishart:
    _check_coordinates(len(prior.mean), s)
    kappa = prior.kappa + s.weight
    deviations = s.mean - prior.mean
    scale = (
        prior.scale + s.scatter + prior.kappa * s.weight / kappa * np.outer(deviations, deviations)
    )
    mean = prior.mean + s.weight / kappa * deviations
    return NormalInverseWishart(mean, kappa, prior.df + s.weight, scale)


def _check_coordinates(wanted: int, s: SufficientMoments) -> None:
    if len(s.mean) != wanted:
        raise DataError(f"posterior: the prior has {wanted} coordinates, the data {len(s.mean)}.")


_RULES: dict[type[Any], dict[type[Any], tuple[Callable[..., Any], tuple[str, ...]]]] = {
    Beta: {Bernoulli: (_beta_bernoulli, ()), Binomial: (_beta_binomial, ("n",))},
    Dirichlet: {Categorical: (_dirichlet, ()), Multinomial: (_dirichlet, ("n",))},
    Gamma: {Poisson: (_gamma_poisson, ()), Exponential: (_gamma_exponential, ())},
    Gaussian: {Gaussian: (_normal_mean, ("variance",))},
    MultivariateGaussian: {MultivariateGaussian: (_normal_means, ("covariance",))},
    InverseGamma: {Gaussian: (_normal_variance, ("mean",))},
    InverseWishart: {MultivariateGaussian: (_normal_covariance, ("mean",))},
    NormalInverseWishart: {MultivariateGaussian: (_normal_both, ())},
}
