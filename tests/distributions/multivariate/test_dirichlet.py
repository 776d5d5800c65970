"""Dirichlet."""

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.distributions import Beta, Dirichlet

ALPHA = np.array([0.8, 3.0, 1.5])


def test_density_and_moments_agree_with_scipy():
    x = Dirichlet(ALPHA).sample(20, random_state=0)
    theirs = scipy.stats.dirichlet(ALPHA)
    assert_allclose(Dirichlet(ALPHA).log_prob(x), [theirs.logpdf(row) for row in x], rtol=1e-10)
    assert_allclose(Dirichlet(ALPHA).mean, theirs.mean())
    assert_allclose(Dirichlet(ALPHA).variance, theirs.var())
    assert_allclose(Dirichlet(ALPHA).covariance, theirs.cov())
    assert Dirichlet(ALPHA).entropy() == pytest.approx(theirs.entropy())


def test_two_proportions_are_a_beta():
    x = np.array([0.1, 0.4, 0.9])
    assert_allclose(
        Dirichlet([2.0, 3.5]).log_prob(np.column_stack([x, 1 - x])), Beta(2.0, 3.5).log_prob(x)
    )


def test_marginal_and_mode():
    assert Dirichlet(ALPHA).marginal(1) == Beta(3.0, ALPHA.sum() - 3.0)
    assert_allclose(Dirichlet([2, 3, 2]).mode, [0.25, 0.5, 0.25])
    assert np.isnan(Dirichlet(ALPHA).mode).all()


def test_events_must_be_proportions():
    assert Dirichlet(ALPHA).log_prob([[0.5, 0.6, 0.1], [-0.1, 0.6, 0.5]]).tolist() == [-np.inf] * 2
    with pytest.raises(DataError, match=r"sum to 1; got \[0.5, 0.6\] \(row 0\)"):
        Dirichlet.fit([[0.5, 0.6]])
    with pytest.raises(ParameterError, match="two or more numbers > 0"):
        Dirichlet([1.0, -1.0])


def test_draws():
    x = Dirichlet(ALPHA).sample(50000, random_state=1)
    assert_allclose(x.mean(axis=0), Dirichlet(ALPHA).mean, atol=0.005)
    assert_allclose(np.cov(x.T), Dirichlet(ALPHA).covariance, atol=0.002)
