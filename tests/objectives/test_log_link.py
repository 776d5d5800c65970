"""Losses of a positive mean: half the deviances of SciPy's distributions and scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import gammaln
from sklearn.metrics import mean_gamma_deviance, mean_poisson_deviance

from gramian.objectives import Gamma, Poisson
from gramian.objectives.log_link import half_poisson_deviance

Z = np.linspace(-2, 3, 11)


def test_poisson_is_minus_the_log_likelihood_of_counts():
    y = np.arange(11.0) % 4
    minus_log = -stats.poisson.logpmf(y, np.exp(Z))
    assert_allclose(Poisson().value(y, Z) + gammaln(y + 1), minus_log, atol=1e-12)


def test_gamma_is_minus_the_log_likelihood_of_amounts_of_shape_1():
    """Shape 1 is the exponential distribution: -ln p = z + y exp(-z), no constant is left."""
    y = np.linspace(0.1, 6, 11)
    assert_allclose(Gamma().value(y, Z), -stats.expon.logpdf(y, scale=np.exp(Z)), atol=1e-12)


@pytest.mark.parametrize(
    ("loss", "deviance"), [(Poisson(), mean_poisson_deviance), (Gamma(), mean_gamma_deviance)]
)
def test_differences_of_the_loss_are_half_the_differences_of_the_deviance(loss, deviance):
    y, other = np.linspace(0.5, 6, 11), Z[::-1]
    ours = np.mean(loss.value(y, Z) - loss.value(y, other))
    theirs = deviance(y, np.exp(Z)) - deviance(y, np.exp(other))
    assert ours == pytest.approx(theirs / 2)


@pytest.mark.parametrize("loss", [Poisson(), Gamma()], ids=repr)
def test_targets_of_zero_have_a_finite_best_constant(loss):
    assert np.isfinite(loss.best_constant(np.zeros(3), None)).all()


def test_half_the_deviance_is_the_loss_above_its_minimum(rng):
    y, mean = rng.poisson(3.0, size=30) * 1.0, rng.uniform(0.5, 5, size=30)
    saturated = np.where(y > 0, y - y * np.log(np.maximum(y, 1e-300)), 0.0)
    found = half_poisson_deviance(y, mean)
    np.testing.assert_allclose(found, Poisson().value(y, np.log(mean)) - saturated, atol=1e-12)
    assert (found >= 0).all()
