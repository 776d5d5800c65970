import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.textbook.estimation import density_outliers


def test_far_rows_are_outliers():
    rng = np.random.default_rng(0)
    train = rng.normal(size=(500, 2))
    model = stats.multivariate_normal(train.mean(0), np.cov(train.T))
    found = density_outliers(model, [[0, 0], [9, 9]], reference=train)
    assert found.outliers.tolist() == [False, True]
    flagged = density_outliers(model, train, quantile=0.02).outliers
    assert flagged.sum() <= 10
    assert flagged.sum() >= 8


def test_a_threshold_and_a_function():
    found = density_outliers(lambda x: -np.abs(x), [1.0, -3.0], threshold=-2)
    assert found.outliers.tolist() == [False, True]
    assert found.threshold == -2


def test_bad_input():
    with pytest.raises(ParameterError, match="quantile"):
        density_outliers(stats.norm(), [1.0], quantile=2)
    with pytest.raises(ParameterError, match="log_prob"):
        density_outliers(3, [1.0])
    with pytest.raises(DataError, match="not NaN"):
        density_outliers(stats.norm(), [np.nan])
    with pytest.raises(DataError, match="one log density"):
        density_outliers(stats.norm(), [[1.0, 2.0]])
