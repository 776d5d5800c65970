"""Predictions of boosted models, from the scores of their iterations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, softmax
from sklearn.base import clone

from gramian import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    Ridge,
)
from tests.ensemble.problems import curved

CLASSIFIERS = [
    HistGradientBoostingClassifier(max_iter=4),
    GradientBoostingClassifier(n_estimators=4, estimator=Ridge()),
]
REGRESSORS = [
    HistGradientBoostingRegressor(max_iter=4),
    GradientBoostingRegressor(n_estimators=4, estimator=Ridge()),
]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_and_probabilities_follow_from_the_scores(model, n_classes):
    X, y = curved()
    labels = np.array(["a", "b", "c"])[np.digitize(y, [0.0, 1.0][: n_classes - 1])]
    fitted = clone(model).fit(X, labels)
    z = fitted.decision_function(X)
    if n_classes == 2:
        assert_allclose(fitted.predict_proba(X)[:, 1], expit(z))
        assert_array_equal(fitted.predict(X), np.where(z > 0, "b", "a"))
    else:
        assert_allclose(fitted.predict_proba(X), softmax(z, axis=1))
        assert_array_equal(fitted.predict(X), fitted.classes_[z.argmax(axis=1)])


@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=lambda m: type(m).__name__)
def test_staged_predictions_equal_shorter_fits(model):
    X, y = curved()
    y = y > 1 if model in CLASSIFIERS else y
    fitted = clone(model).fit(X, y)
    names = ("predict", "predict_proba", "decision_function")
    for name in names if model in CLASSIFIERS else names[:1]:
        stages = list(getattr(fitted, f"staged_{name}")(X))
        assert len(stages) == 4
        assert_allclose(stages[-1], getattr(fitted, name)(X), rtol=1e-12)
        length = "max_iter" if "Hist" in type(model).__name__ else "n_estimators"
        shorter = clone(model).set_params(**{length: 2}).fit(X, y)
        assert_allclose(stages[1], getattr(shorter, name)(X), rtol=1e-12)


@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=lambda m: type(m).__name__)
def test_float32_rows_have_float32_scores(model):
    X, y = curved()
    y = y > 1 if model in CLASSIFIERS else y
    fitted = clone(model).fit(X.astype(np.float32), y)
    name = "decision_function" if model in CLASSIFIERS else "predict"
    assert getattr(fitted, name)(X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_labels_of_y_val_must_be_in_y(model):
    X, y = curved()
    with pytest.raises(ValueError, match="y_val has the label 7, which is not in y"):
        clone(model).fit(X, y > 1, X_val=X, y_val=np.full(len(y), 7))
