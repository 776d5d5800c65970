"""Calibration against scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.calibration import calibration_curve

from gramian.evaluate import (
    calibration_points,
)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_calibration_is_scikit_learns_with_counts(strategy):
    rng = np.random.default_rng(1)
    p = rng.random(400)
    y = rng.random(400) < p**2
    found = calibration_points(y, p, n_bins=7, strategy=strategy)
    prob_true, prob_pred = calibration_curve(y, p, n_bins=7, strategy=strategy)
    assert_allclose(found.prob_true, prob_true)
    assert_allclose(found.prob_pred, prob_pred)
    assert found.counts.sum() == 400
    assert found.brier == pytest.approx(np.mean((p - y) ** 2))
    assert found.expected_calibration_error > 0.1


def test_calibrated_probabilities_have_small_calibration_error():
    rng = np.random.default_rng(2)
    p = rng.random(20_000)
    assert calibration_points(rng.random(20_000) < p, p).expected_calibration_error < 0.02


def test_calibration_needs_probabilities():
    with pytest.raises(ValueError, match=r"values from -1 to 2. Calibrate"):
        calibration_points([0, 1], [-1, 2])
    with pytest.raises(ValueError, match="n_bins must be at least 1"):
        calibration_points([0, 1], [0.1, 0.9], n_bins=0)
