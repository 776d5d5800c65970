"""Medians and scales are those of the known values, whatever their size."""

import numpy as np
import pytest

from gramian.data.imputation import medians_of, scales_of


def test_medians_leave_out_what_is_missing(rng):
    values = rng.normal(size=(31, 3))
    values[rng.random((31, 3)) < 0.3] = np.nan
    values[:, 2] = np.nan
    expected = [np.median(values[~np.isnan(values[:, j]), j]) for j in range(2)]
    np.testing.assert_allclose(medians_of(values), [*expected, 0.0])
    assert medians_of(np.empty((0, 2))).tolist() == [0.0, 0.0]
    assert medians_of(np.ones((3, 1), dtype=np.float32)).dtype == np.float32


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_scales_are_mean_and_deviation(rng, size):
    values = rng.normal(2.0, 3.0, size=(50, 2))
    means, deviations = scales_of(size * values)
    np.testing.assert_allclose(means / size, values.mean(axis=0))
    np.testing.assert_allclose(deviations / size, values.std(axis=0))


def test_a_constant_but_for_rounding_is_not_stretched():
    values = np.full((10, 2), 0.1)
    values[:, 1] += np.arange(10) % 2 * 1e-16
    means, deviations = scales_of(values)
    np.testing.assert_allclose(means, 0.1)
    assert deviations.tolist() == [1.0, 1.0]
