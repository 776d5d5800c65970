"""Ridge classifiers."""

import numpy as np
import pytest
import sklearn.linear_model
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from gramian import RidgeClassifier, RidgeClassifierCV
from tests.linear_model.data import table
from tests.linear_model.ridge.ridge_data import ALPHAS


@pytest.mark.parametrize("settings", [{}, {"cv": 3}, {"scoring": "accuracy"}])
@pytest.mark.parametrize("classes", [2, 3])
def test_classifier_agrees_with_scikit_learn(settings, classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes, 1:], np.array(["ash", "birch", "cedar"])[y[y < classes]]
    ours = RidgeClassifierCV(ALPHAS, **settings).fit(X, y)
    theirs = sklearn.linear_model.RidgeClassifierCV(ALPHAS, **settings).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize("class_weight", [None, "balanced", {"ash": 3.0}])
def test_class_weights_agree_with_scikit_learn(class_weight):
    X, y = load_iris(return_X_y=True)
    X, y = X[20:], np.array(["ash", "birch", "cedar"])[y[20:]]
    ours = RidgeClassifier(class_weight=class_weight).fit(X, y)
    theirs = sklearn.linear_model.RidgeClassifier(class_weight=class_weight).fit(X, y)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)


def test_several_labels():
    X, Y, _ = table(m=3)
    labels = (np.median(Y, axis=0) < Y).astype(int)
    ours = RidgeClassifier().fit(X, labels)
    theirs = sklearn.linear_model.RidgeClassifier().fit(X, labels)
    assert ours.multilabel_
    assert (ours.predict(X) == theirs.predict(X)).all()
    best = RidgeClassifierCV(cv=3).fit(X, labels)
    assert best.predict(X).shape == (80, 3)
