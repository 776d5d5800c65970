"""Differences that are only rounding errors count as zero."""

import numpy as np
import pytest

from gramian.evaluate.rounding import difference, ratio, round_off_ties, standard_deviation


def test_magnitudes_that_differ_by_rounding_become_equal():
    values = np.array([0.8 - 0.7, 0.9 - 1.0, 0.3 - 0.3 * (1 + 1e-16), 0.25])
    assert len(set(np.abs(values))) == 4
    rounded = round_off_ties(values, scale=1.0)
    assert rounded[0] == -rounded[1] == np.abs(values[:2]).min()
    assert rounded[2] == 0
    assert rounded[3] == 0.25


def test_magnitudes_that_differ_by_more_are_kept():
    values = np.array([0.3, -0.1, 0.2, 1e-12])
    np.testing.assert_array_equal(round_off_ties(values, scale=1.0), values)


def test_a_deviation_of_rounding_errors_is_zero():
    equal = np.array([0.1 + 0.2, 0.3, 0.3])
    assert equal.std(ddof=1) > 0
    assert standard_deviation(equal) == 0
    assert standard_deviation(np.array([1.0, 3.0])) == pytest.approx(np.sqrt(2))


def test_a_difference_of_rounding_errors_is_zero():
    assert 0.1 + 0.2 != 0.3
    assert difference(0.1 + 0.2, 0.3) == 0
    assert difference(0.3, 0.1) == pytest.approx(0.2)


def test_ratios_with_a_denominator_of_zero():
    assert ratio(3.0, 2.0) == 1.5
    assert ratio(0.0, 0.0) == 0
    assert ratio(2.0, 0.0) == np.inf
    assert ratio(-2.0, 0.0) == -np.inf
