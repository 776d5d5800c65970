"""Statistics that merge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.distributions import (
    Binomial,
    Categorical,
    Gaussian,
    MultivariateGaussian,
    NegativeBinomial,
    Poisson,
)

numbers = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20)


@given(left=numbers, right=numbers, shift=st.sampled_from([0.0, 1e9]))
def test_merged_moments_match_all_the_data(left, right, shift):
    """Chan, Golub and LeVeque, 1983: no cancellation, wherever the mean is."""
    a, b = np.array(left) + shift, np.array(right) + shift
    both = Gaussian.sufficient_statistics(a) + Gaussian.sufficient_statistics(b)
    whole = np.concatenate([a, b])
    assert both.weight == len(whole)
    assert both.mean == pytest.approx(whole.mean(), rel=1e-12, abs=1e-8)
    scatter = ((whole - whole.mean()) ** 2).sum()
    assert both.scatter == pytest.approx(scatter, rel=1e-9, abs=1e-9 * (1 + shift / 1e3))


def test_a_large_mean_loses_no_digits():
    x = np.array([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])
    assert Gaussian.fit(x).variance == 22.5
    X = np.column_stack([x, -x])
    assert_allclose(MultivariateGaussian.fit(X).covariance, [[22.5, -22.5], [-22.5, 22.5]])


def test_log_base_completes_the_log_likelihood():
    """sum log p = total log(rate) - weight rate + log_base."""
    x = np.array([3, 0, 5])
    held = Poisson.sufficient_statistics(x, [1.0, 2.0, 0.5])
    by_hand = held.total[0] * np.log(2.0) - held.weight * 2.0 + held.log_base
    assert by_hand == pytest.approx(Poisson(2.0).log_prob(x) @ [1.0, 2.0, 0.5])


def test_sizes_and_fixed_parameters_must_agree():
    with pytest.raises(DataError, match=r"got shape \(2,\) here, \(3,\) there"):
        Categorical.sufficient_statistics([0, 1]) + Categorical.sufficient_statistics([0, 2])
    with pytest.raises(DataError, match="same fixed parameters"):
        Binomial.sufficient_statistics([1], n=3) + Binomial.sufficient_statistics([1], n=4)
    with pytest.raises(DataError, match="same fixed parameters"):
        NegativeBinomial.sufficient_statistics([1], r=3) + NegativeBinomial.sufficient_statistics(
            [1]
        )
