"""Probabilities from linear scores."""

import numpy as np
from scipy.special import softmax

from gramian import LogisticRegression
from tests.linear_model.glm.logistic_data import INF, binary


def test_softmax_of_two_classes_is_the_sigmoid_of_the_difference():
    """T28: softmax with K = 2 equals the sigmoid of the difference of the scores."""
    X, y = binary()
    two = LogisticRegression(C=INF, tol=1e-10).fit(X, y)
    shares = np.eye(2)[y]
    Z = np.c_[np.zeros(len(X)), two.decision_function(X)]
    np.testing.assert_allclose(two.predict_proba(X), softmax(Z, axis=1), atol=1e-15)
    as_shares = LogisticRegression(C=INF, tol=1e-10).fit_probabilities(X, shares)
    np.testing.assert_allclose(as_shares.coef_, two.coef_, atol=1e-8)


def test_log_probabilities_are_logarithms_and_minus_infinity_where_a_probability_is_0():
    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    model.coef_, model.intercept_ = np.array([[1.0]]), np.array([0.0])
    with np.errstate(all="raise"):
        found = model.predict_log_proba([[np.log(3.0)], [1e4]])
    np.testing.assert_allclose(found[0], np.log([0.25, 0.75]))
    assert found[1].tolist() == [-np.inf, 0.0]
