"""Checks of the fitted attributes of scikit-learn's transformers."""

import numpy as np
import pytest
from sklearn.impute import MissingIndicator
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from gramian.base.files import step_checks


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        ("is_count", [0, 3], [-1, True, 1.0]),
        ("is_flag", [True, False], [0, None]),
        ("is_vector", [np.zeros(2)], [np.zeros(3), np.zeros((2, 1)), [0.0, 0.0]]),
        ("is_vector_or_none", [np.zeros(2), None], [np.zeros(3)]),
        ("is_number_of_rows", [5, np.int64(5), np.full(2, 5)], ["5", np.full(3, 5)]),
        ("has_value_per_feature", [np.array(["a", "b"])], [np.array(["a"])]),
        ("is_matrix", [np.zeros((5, 2))], [np.zeros((2, 5)), np.zeros(2)]),
        ("has_one_axis", [np.zeros(7)], [np.zeros((7, 1)), [0.0]]),
        ("is_dtype", [np.dtype("f4")], ["f4"]),
        ("is_mask", [np.zeros(2, bool), np.zeros((5, 2), bool)], [np.zeros(2), np.zeros(3, bool)]),
        ("is_indicator_or_none", [None, MissingIndicator()], [StandardScaler()]),
        ("has_categories_per_feature", [[np.arange(3), np.array(["a"])]], [[np.arange(3)]]),
        ("has_integers_per_feature", [[np.arange(3), None]], [[None], [np.zeros(3), None]]),
        ("has_index_per_feature", [None, np.arange(2)], [np.zeros(2), np.arange(3)]),
        ("has_count_per_feature", [[1, 2]], [[1], [1, -2]]),
        ("is_dict_of_indices", [{0: 3}], [{-1: 3}, [3]]),
    ],
)
def test_a_check_accepts_what_two_features_may_have(check, good, bad):
    accepts = getattr(step_checks, check)
    assert all(accepts(value, 2) for value in good)
    assert not any(accepts(value, 2) for value in bad)


def test_numeric_categories_must_rise_and_end_with_nan():
    accepts = step_checks.has_categories_per_feature
    assert accepts([np.array([1.0, 2.0, np.nan])], 1)
    assert not accepts([np.array([2.0, 1.0])], 1)
    assert not accepts([np.array([np.nan, 1.0])], 1)


def test_the_number_of_columns_of_an_encoder_must_match_its_categories():
    encoder = OneHotEncoder().fit([["a"], ["b"]])
    assert step_checks.one_hot_fits(encoder)
    encoder._n_features_outs = [3]
    assert not step_checks.one_hot_fits(encoder)


def test_the_number_of_terms_must_match_the_degree():
    features = PolynomialFeatures(2).fit(np.zeros((1, 3)))
    assert step_checks.polynomial_fits(features)
    features.n_output_features_ += 1
    assert not step_checks.polynomial_fits(features)
