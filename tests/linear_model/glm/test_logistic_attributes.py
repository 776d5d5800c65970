"""Coefficients become attributes, and the start of the next fit."""

import numpy as np

from gramian import LogisticRegression
from gramian.linear_model.glm.logistic_attributes import fitted_attributes, warm_start_weights


def test_weights_of_one_output_become_a_row_of_coefficients_and_a_bias():
    classes = np.array(["a", "b"])
    found = fitted_attributes(
        LogisticRegression(), [np.array([1.0, 2.0, 3.0])], classes, np.float32
    )
    assert found["coef_"].tolist() == [[1.0, 2.0]]
    assert found["intercept_"].tolist() == [3.0]
    assert found["coef_"].dtype == np.float32
    assert found["classes_"] is classes


def test_without_a_bias_all_weights_are_coefficients():
    model = LogisticRegression(fit_intercept=False)
    found = fitted_attributes(model, [np.array([1.0, 2.0])], np.arange(2), np.float64)
    assert found["coef_"].tolist() == [[1.0, 2.0]]
    assert found["intercept_"].tolist() == [0.0]


def test_classes_against_the_rest_that_are_not_fitted_yet_have_zero_weights():
    found = fitted_attributes(LogisticRegression(), [np.ones(2), np.ones(2)], np.arange(3), float)
    assert found["coef_"].tolist() == [[1.0], [1.0], [0.0]]


def test_a_warm_start_uses_the_last_fit_if_its_shape_matches():
    model = LogisticRegression(warm_start=True)
    assert warm_start_weights(model, (2,)) is None
    model.coef_, model.intercept_ = np.array([[4.0]]), np.array([5.0])
    assert warm_start_weights(model, (2,)).tolist() == [4.0, 5.0]
    assert warm_start_weights(model, (3,)) is None
    assert warm_start_weights(model.set_params(warm_start=False), (2,)) is None
