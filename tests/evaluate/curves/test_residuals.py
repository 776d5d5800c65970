"""Residuals and misclassified rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import max_error, mean_absolute_error, mean_squared_error, r2_score

from gramian.evaluate import (
    misclassified,
    residual_report,
)


def test_residuals_and_their_summaries(rng):
    y, f = rng.normal(size=40), rng.normal(size=40)
    report = residual_report(y, f)
    assert_allclose(report.residuals, y - f)
    assert report.mse == pytest.approx(mean_squared_error(y, f))
    assert report.rss == pytest.approx(40 * report.mse)
    assert report.rmse == pytest.approx(np.sqrt(report.mse))
    assert report.mean_absolute == pytest.approx(mean_absolute_error(y, f))
    assert report.max_absolute == pytest.approx(max_error(y, f))
    assert report.r2 == pytest.approx(r2_score(y, f))
    assert np.abs(y - f)[report.worst[0]] == report.max_absolute
    assert report.bias == pytest.approx((y - f).mean())


def test_noise_that_grows_with_the_prediction_is_seen(rng):
    f = np.linspace(1, 10, 300)
    assert residual_report(f + f * rng.normal(size=300), f).spread_trend > 0.3
    assert abs(residual_report(f + rng.normal(size=300), f).spread_trend) < 0.2
    assert np.isnan(residual_report([1.0, 1.0], [1.0, 1.0]).r2)
    with pytest.raises(ValueError, match="finite"):
        residual_report([np.nan], [1.0])


def test_most_confident_mistakes_come_first():
    proba = [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.05, 0.95]]
    found = misclassified([1, 1, 1, 0], [0, 0, 1, 1], proba)
    assert found.rows.tolist() == [3, 0, 1]
    assert found.truth.tolist() == [0, 1, 1]
    assert found.error_rate == 0.75
    assert misclassified([1, 1, 1, 0], [0, 0, 1, 1]).rows.tolist() == [0, 1, 3]
    with pytest.raises(ValueError, match="a row for each of the 4 labels"):
        misclassified([1, 1, 1, 0], [0, 0, 1, 1], proba[:2])
