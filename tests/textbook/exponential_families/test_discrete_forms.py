"""Natural forms of discrete distributions: natural parameters of the textbook."""

import numpy as np
import pytest

from gramian.distributions import Binomial, Categorical, Poisson
from gramian.textbook.exponential_families.discrete_forms import (
    bernoulli_form,
    binomial_form,
    categorical_form,
    poisson_form,
)


def test_the_binomial_parameter_is_the_log_odds():
    assert binomial_form(7).natural_parameter(Binomial(7, 0.3))[0] == pytest.approx(np.log(3 / 7))


def test_the_poisson_parameter_is_the_log_rate():
    assert poisson_form().natural_parameter(Poisson(3.5))[0] == pytest.approx(np.log(3.5))


def test_categories_have_log_odds_against_the_last_one():
    eta = categorical_form(3).natural_parameter(Categorical([0.2, 0.5, 0.3]))
    np.testing.assert_allclose(eta, np.log([2 / 3, 5 / 3]))


def test_log_densities_do_not_underflow_at_extreme_log_odds():
    np.testing.assert_allclose(bernoulli_form().log_prob([0, 1], [800.0]), [-800.0, 0.0])
