"""Cost functionals: their values, and the weights that make their subgradients."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import DataError
from gramian.objectives import Max, Mean, WeightedSum

losses = st.lists(st.floats(0, 100), min_size=1, max_size=8).map(np.array)


@given(losses=losses)
def test_the_values_are_mean_maximum_and_weighted_sum(losses):
    omega = np.arange(len(losses)) / 3
    assert Mean().value(losses) == pytest.approx(losses.mean())
    assert Max().value(losses) == losses.max()
    assert WeightedSum(omega).value(losses) == pytest.approx((omega * losses).sum())
    assert WeightedSum(1.0).value(losses) == pytest.approx(losses.sum())


@given(losses=losses, seed=st.integers(0, 99))
def test_the_weights_are_a_subgradient(losses, seed):
    """F(L') >= F(L) + omega . (L' - L)."""
    other = np.random.default_rng(seed).uniform(0, 100, len(losses))
    for functional in (Mean(), Max(), WeightedSum(0.5)):
        line = functional.value(losses) + functional.weights(losses) @ (other - losses)
        assert functional.value(other) >= line - 1e-9


def test_the_first_of_equal_worst_rows_is_taken():
    assert Max().weights(np.array([1.0, 5.0, 5.0])).tolist() == [0, 1, 0]


def test_infinite_losses_have_an_infinite_maximum():
    assert Max().value([np.inf, 1.0, np.inf]) == np.inf


def test_weights_are_checked():
    with pytest.raises(DataError, match=">= 0"):
        WeightedSum([1.0, -1.0])
    with pytest.raises(DataError, match="got 2 weights for 3 rows"):
        WeightedSum([1.0, 1.0]).value([1.0, 2.0, 3.0])
