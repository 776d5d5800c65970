"""The protocol's shared parts."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.distributions import Categorical, Dirichlet, Gaussian, MultivariateGaussian
from gramian.distributions.common.distribution import number_or_array


def test_integers_become_floats_where_the_parameter_is_one():
    assert repr(Gaussian(1, 2)) == "Gaussian(mean=1.0, variance=2.0)"
    assert isinstance(Gaussian(np.int64(1), np.float32(2)).mean, float)


def test_a_large_array_is_shown_by_its_shape():
    assert "<array of shape (5, 5)>" in repr(MultivariateGaussian(np.zeros(5), np.eye(5)))


def test_missing_closed_forms_raise_an_error():
    with pytest.raises(NotImplementedError, match="Dirichlet has no closed form for quantiles"):
        Dirichlet([1, 1]).quantile(0.5)
    with pytest.raises(NotImplementedError, match="cumulative"):
        Dirichlet([1, 1]).cdf([0.5, 0.5])


def test_events_need_the_coordinates_of_the_distribution():
    with pytest.raises(DataError, match=r"3 coordinates on the last axis; got shape \(2,\)"):
        Dirichlet([1, 1, 1]).log_prob([0.5, 0.5])


def test_the_given_array_is_copied():
    p = np.array([0.5, 0.5])
    made = Categorical(p)
    p[0] = 0
    assert made.probabilities.tolist() == [0.5, 0.5]


def test_one_number_is_a_float():
    assert isinstance(number_or_array(np.float64(2)), float)
    assert number_or_array([1.0, 2.0]).shape == (2,)
