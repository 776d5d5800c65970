"""Scores and labels from coefficients."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from gramian import (
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    Perceptron,
    SGDClassifier,
    SGDRegressor,
    SigmoidDiscriminant,
)
from gramian.base.fields import params
from gramian.base.kinds import Classifier
from gramian.linear_model.common.linear_scores import LinearScores

X = np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 0.0]])


@params
class Scores(LinearScores, Classifier):
    """Scores of coefficients that the test sets."""

    def fit(self, X, y):
        return self


def fitted(coef, intercept, classes):
    model = Scores()
    model.coef_, model.intercept_ = np.array(coef), np.array(intercept)
    model.classes_, model.n_features_in_ = np.array(classes), 2
    return model


@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_two_classes_have_one_score_and_its_sign_decides(as_data, dtype):
    model = fitted(np.array([[2.0, -1.0]], dtype), np.array([0.5], dtype), ["no", "yes"])
    z = model.decision_function(as_data(X.astype(dtype)))
    assert z.dtype == dtype
    np.testing.assert_allclose(z, [0.5, -2.0, 0.5])
    assert model.predict(as_data(X)).tolist() == ["yes", "no", "yes"]


@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_several_classes_have_a_score_each_and_the_largest_wins(as_data):
    coef, bias = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]), [0.0, -1.5, 0.1]
    model = fitted(coef, bias, ["a", "b", "c"])
    np.testing.assert_allclose(model.decision_function(as_data(X)), X @ coef.T + bias)
    assert model.predict(as_data(X)).tolist() == ["a", "c", "c"]


def test_a_score_of_zero_is_the_first_class():
    assert fitted([[1.0, 0.0]], [0.0], [0, 1]).predict(X[2:]).tolist() == [0]


def test_scores_need_a_fit():
    with pytest.raises(NotFittedError):
        Scores().predict(X)


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: LinearSVC(loss="hinge", max_iter=1, tol=1e-12).fit(X, y),
        lambda X, y: LinearSVC(max_iter=1, tol=1e-12).fit(X, y),
        lambda X, y: LogisticRegression(max_iter=1, tol=1e-12).fit(X, y),
        lambda X, y: LogisticRegression(l1_ratio=1.0, max_iter=1, tol=0).fit(X, y),
        lambda X, y: LogisticRegression(max_iter=1, tol=1e-12).fit_probabilities(X, 0.8 * y),
        lambda X, y: SigmoidDiscriminant(max_iter=1, tol=1e-12).fit(X, y),
        lambda X, y: Perceptron(max_iter=1, tol=None).fit(X, y),
        lambda X, y: Perceptron(max_iter=2, tol=1e-12).fit(X, y),
        lambda X, y: SGDClassifier(max_iter=2, tol=1e-12).fit(X, y),
        lambda X, y: SGDRegressor(max_iter=2, tol=1e-12).fit(X, y),
        lambda X, y: LinearSVR(max_iter=1, tol=1e-12).fit(X, y),
    ],
)
def test_a_warning_points_to_the_line_that_called_fit(fit, rng):
    rows = rng.normal(size=(60, 4))
    y = (rows[:, 0] + rng.normal(size=60) > 0).astype(int)
    with pytest.warns(ConvergenceWarning) as raised:
        fit(rows, y)
    assert raised[0].filename == __file__
