"""Exponential families with distributions as members."""

import numpy as np
import pytest

from gramian.distributions import Bernoulli
from gramian.textbook.exponential_families import NaturalForm, natural_form


def test_natural_parameter_and_member_are_inverse():
    form = natural_form(Bernoulli)
    assert isinstance(form, NaturalForm)
    eta = form.natural_parameter(Bernoulli(0.2))
    np.testing.assert_allclose(eta, np.log(0.25))
    assert form.member(eta).p == pytest.approx(0.2)


def test_log_prob_matches_the_member():
    form = natural_form(Bernoulli)
    np.testing.assert_allclose(form.log_prob([0, 1], [np.log(0.25)]), np.log([0.8, 0.2]))
