"""The initial model of boosting."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from gramian import GradientBoostingClassifier, GradientBoostingRegressor
from gramian.base.errors import DataError, ParameterError
from gramian.ensemble.common import boosting_loss
from gramian.ensemble.gradient_boosting.initial_model import InitialModel

X = np.arange(6.0)[:, None]


def test_constants_match_the_losses():
    y = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 20.0])
    for loss, start in (("squared_error", 5.0), ("absolute_error", 2.5), ("huber", 2.5)):
        model = GradientBoostingRegressor(loss=loss, n_estimators=1).fit(X, y)
        assert model.init_.predict(X[:1]) == pytest.approx(start)
    assert GradientBoostingRegressor(init="zero").fit(X, y).init_ == "zero"


def test_the_prior_of_the_classes():
    model = GradientBoostingClassifier(n_estimators=1).fit(X, [0, 0, 0, 1, 1, 2])
    np.testing.assert_allclose(model.init_.predict_proba(X[:1]), [[1 / 2, 1 / 3, 1 / 6]])


def test_unsuitable_init_is_rejected():
    with pytest.raises(ParameterError, match="does not support sample weights"):
        GradientBoostingClassifier(init=KNeighborsClassifier(1)).fit(
            X, [0, 0, 0, 1, 1, 1], sample_weight=np.ones(6)
        )
    with pytest.raises(DataError, match="can be exported; got"):
        InitialModel(None, KNeighborsClassifier()).constant("GradientBoostingClassifier")
    assert InitialModel(np.zeros(1)).scores(X, boosting_loss.squared()).shape == (1, 6)
