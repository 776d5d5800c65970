"""Exponential families given by their functions, and their conjugate priors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Bernoulli, Beta, BetaBinomial, Poisson
from gramian.textbook.exponential_families import ExponentialFamily, natural_form


def poisson():
    """Without derivatives, which are then differences."""
    return ExponentialFamily(
        lambda x: x[:, None],
        lambda eta: float(np.exp(eta[0])),
        [(-np.inf, np.inf)],
        lambda x: -gammaln(x + 1),
    )


def test_differences_of_the_normaliser_give_moments():
    family = poisson()
    assert family.expected_statistic([1.0]) == pytest.approx(np.e, rel=1e-8)
    assert family.covariance_of_statistic([1.0]) == pytest.approx(np.e, rel=1e-4)


def test_maximum_likelihood_solves_the_moment_equation():
    eta = poisson().maximum_likelihood([2, 0, 4], [1, 1, 2])
    assert np.exp(eta[0]) == pytest.approx(2.5, rel=1e-7)


def test_log_likelihood_from_statistics():
    family, x = poisson(), np.array([3.0, 0.0, 5.0])
    held = family.sufficient_statistics(x)
    assert family.log_likelihood([0.7], held) == pytest.approx(family.log_prob(x, [0.7]).sum())


def test_a_mean_on_the_border_has_no_parameter():
    with pytest.raises(DataError, match="boundary of the possible values"):
        natural_form(Bernoulli).maximum_likelihood([1, 1, 1])
    with pytest.raises(ParameterError, match="eta must be inside"):
        natural_form(Bernoulli).log_prob([1], [np.inf])


def test_the_conjugate_prior_of_a_bernoulli_is_a_beta():
    """f(chi, nu) g^nu exp(nu eta chi) is Beta(nu chi, nu (1 - chi)) of p, times dp / d eta."""
    prior = natural_form(Bernoulli).conjugate(0.4, 5.0)
    for p in (0.1, 0.4, 0.9):
        eta = np.log(p / (1 - p))
        beta = Beta(2.0, 3.0).log_prob(p) + np.log(p * (1 - p))
        assert prior.log_prob([eta]) == pytest.approx(beta, abs=1e-9)
    assert prior.expected_statistic.tolist() == [0.4]
    assert prior.mode[0] == pytest.approx(np.log(0.4 / 0.6))
    one = prior.log_predictive([1, 1, 0])
    assert one == pytest.approx(BetaBinomial(3, 2, 3).log_prob(2) - np.log(3), abs=1e-9)


def test_one_at_a_time_is_all_at_once():
    data = np.array([1, 0, 1, 1])
    prior = natural_form(Bernoulli).conjugate(0.5, 4.0)
    step = prior
    for x in data:
        step = step.posterior([x])
    whole = prior.posterior(data)
    assert step.nu == whole.nu == 8
    assert_allclose(step.chi, whole.chi)
    assert_allclose(prior.posterior([]).chi, prior.chi)


def test_what_is_no_prior():
    with pytest.raises(ParameterError, match="nu must be a number > 0"):
        natural_form(Bernoulli).conjugate(0.5, 0.0)
    with pytest.raises(ParameterError, match="chi must be 1 finite"):
        natural_form(Bernoulli).conjugate([0.5, 0.5], 1.0)


def test_update_takes_statistics_and_posterior_data():
    prior = natural_form(Poisson).conjugate(2.0, 3.0)
    with pytest.raises(DataError, match=r"sufficient_statistics of the family; got list"):
        prior.update([1, 2, 3])
    assert prior.posterior([1, 2, 3]).nu == 6.0
