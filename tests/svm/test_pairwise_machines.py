"""Scores and votes of pairs of classes."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.svm
from sklearn.datasets import load_iris

from gramian import SVC


def test_two_classes_have_one_score_positive_for_the_second():
    model = SVC(kernel="linear", C=10.0).fit([[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    scores = model.decision_function([[0.0], [5.0]])
    assert scores.shape == (2,)
    assert scores[0] < 0 < scores[1]
    assert model.n_support_.tolist() == [1, 1]
    assert model.predict([[0.0], [5.0]]).tolist() == ["a", "b"]


def test_a_score_per_class_orders_classes_by_votes_first():
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    y = np.repeat([0, 1, 2], 2)
    model = SVC().fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (6, 3)
    np.testing.assert_array_equal(scores.argmax(axis=1), y)
    votes = np.round(scores)
    np.testing.assert_array_equal(votes.sum(axis=1), 3)  # of three pairs


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_linear_kernel_has_weights_for_each_pair(form):
    X, y = load_iris(return_X_y=True)
    model = SVC(kernel="linear", tol=1e-6, decision_function_shape="ovo").fit(form(X), y)
    theirs = sklearn.svm.SVC(kernel="linear", tol=1e-6).fit(X, y)
    np.testing.assert_allclose(model.coef_, theirs.coef_, atol=1e-4)
    scores = X @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(scores, model.decision_function(X), atol=1e-3)
