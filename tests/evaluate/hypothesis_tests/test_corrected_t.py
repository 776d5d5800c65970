"""Tests over splits: worked numbers and mlxtend's answers."""

import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import (
    corrected_t_interval,
    corrected_t_test,
    error_rate_t_test,
    five_by_two_f_test,
    five_by_two_t_test,
    paired_t_test,
)

FIVE = [0.02, 0.03, 0.01, 0.04, 0.0]

FOLDS = [
    0.01754385964912275, 0.0, -0.01754385964912286, 0.0, -0.01754385964912275, 0.0,
    0.03508771929824561, 0.03508771929824561, 0.0, 0.0357142857142857,
]  # fmt: skip


def test_five_folds_reject_equality():
    """t = 2.82843 > t_{0.025, 4} = 2.77645."""
    found = paired_t_test(FIVE)
    assert found.statistic == pytest.approx(2.82843, abs=5e-6)
    assert found.df == (4,)
    assert found.rejected
    assert stats.t.isf(0.025, 4) == pytest.approx(2.77645, abs=5e-6)
    second = np.array([0.8, 0.7, 0.9, 0.85, 0.75])
    assert paired_t_test(second + FIVE, second).p_value == pytest.approx(found.p_value)


def test_the_fold_test_is_mlxtends():
    """mlxtend 0.25.0, paired_ttest_kfold_cv."""
    found = paired_t_test(FOLDS)
    assert found.statistic == pytest.approx(1.3454086863771888)
    assert found.p_value == pytest.approx(0.21140748836151563)


def test_error_at_most_p0_is_one_sided():
    """sqrt(K) (m - p0) / S against t_{alpha, K-1}, not t_{alpha/2, K-1}."""
    rates = np.array([0.10, 0.14, 0.11, 0.13, 0.12])
    found = error_rate_t_test(rates, 0.1)
    assert found.statistic == pytest.approx(np.sqrt(5) * 0.02 / rates.std(ddof=1))
    assert found.p_value == pytest.approx(stats.t.sf(found.statistic, 4))
    edge = 0.12 - stats.t.isf(0.05, 4) * rates.std(ddof=1) / np.sqrt(5)
    assert error_rate_t_test(rates, edge - 1e-6).rejected
    assert not error_rate_t_test(rates, edge + 1e-6).rejected
    assert not error_rate_t_test(rates, 0.2).rejected


def test_the_correction_of_nadeau_and_bengio():
    d = np.array(FOLDS)
    found = corrected_t_test(d, test_over_train=1 / 9)
    assert found.statistic == pytest.approx(d.mean() / np.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1)))
    assert found.p_value == pytest.approx(2 * stats.t.sf(found.statistic, 9))
    assert found.p_value > paired_t_test(d).p_value
    interval = corrected_t_interval(d, test_over_train=1 / 9)
    assert found.interval == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize(
    "test",
    [
        paired_t_test,
        lambda d: corrected_t_test(d, test_over_train=0.25),
        five_by_two_t_test,
        five_by_two_f_test,
    ],
)
def test_identical_models_never_differ_and_constant_gains_always_do(test):
    same = test(np.zeros(10))
    assert (same.statistic, same.p_value) == (0, 1)
    assert not same.rejected
    gain = test(np.full(10, 0.25))
    assert gain.p_value == 0


def test_bad_input_says_what_to_do():
    with pytest.raises(DataError, match=r"scores must have shape \(5, 2\).*got shape \(4,\)"):
        five_by_two_t_test([0.1] * 4)
    with pytest.raises(DataError, match=r"same folds; got shapes \(10,\) and \(5, 2\)"):
        five_by_two_f_test([0.1] * 10, np.zeros((5, 2)))
    with pytest.raises(DataError, match="same splits; got 3 and 2"):
        paired_t_test([0.1, 0.2, 0.3], [0.1, 0.2])
    with pytest.raises(DataError, match="at least 2 values"):
        corrected_t_test([0.1], test_over_train=0.25)
    with pytest.raises(DataError, match="NaN"):
        five_by_two_t_test([np.nan] * 10)
    with pytest.raises(ParameterError, match="test_over_train must be a finite number > 0"):
        corrected_t_test(FIVE, test_over_train=0)


def test_differences_equal_up_to_rounding_have_no_variance():
    first, second = np.array([0.3, 0.8, 0.9, 0.4, 0.6]), np.array([0.2, 0.7, 0.8, 0.3, 0.5])
    assert corrected_t_test(first, second, test_over_train=0.25).statistic == np.inf
    same = corrected_t_test([0.1 + 0.2] * 5, [0.3] * 5, test_over_train=0.25)
    assert (same.statistic, same.p_value) == (0, 1)
    halves = five_by_two_t_test([0.1 + 0.2] * 10, [0.3] * 10)
    assert (halves.statistic, halves.p_value) == (0, 1)
    assert five_by_two_f_test([0.1 + 0.2] * 10, [0.3] * 10).p_value == 1


@pytest.mark.parametrize("splits", [2, 4])
def test_few_equal_differences_raise(splits):
    with pytest.raises(DataError, match=f"all {splits} splits .* pass at least 5 splits"):
        corrected_t_test([0.1] * splits, test_over_train=0.25)
    assert corrected_t_test([0.0] * splits, test_over_train=0.25).p_value == 1
    assert corrected_t_test([0.1] * 5, test_over_train=0.25).p_value == 0
