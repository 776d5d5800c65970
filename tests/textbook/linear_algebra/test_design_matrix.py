"""Rows with a column of ones; norms that NumPy has."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import LinearRegression
from gramian.textbook.linear_algebra import design_matrix


def test_the_bias_is_the_weight_of_the_ones():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    model = LinearRegression().fit(X, y)
    first = np.linalg.lstsq(design_matrix(X), y)[0]
    last = np.linalg.lstsq(design_matrix(X, ones="last"), y)[0]
    assert_allclose(first, np.r_[model.intercept_, model.coef_])
    assert_allclose(last, np.r_[model.coef_, model.intercept_])


def test_one_column_may_be_a_vector():
    assert design_matrix([5.0, 6.0]).tolist() == [[1, 5], [1, 6]]
    with pytest.raises(ValueError, match="ones must be"):
        design_matrix([1.0], ones="middle")
    with pytest.raises(ValueError, match="shape"):
        design_matrix(np.zeros((2, 2, 2)))


def test_norms_of_vectors_and_matrices():
    v, A = np.array([3.0, -4.0]), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert np.linalg.norm(v, 1) == 7
    assert np.linalg.norm(v) == 5
    assert np.linalg.norm(v, np.inf) == 4
    assert_allclose(np.linalg.norm(v, 3), (27 + 64) ** (1 / 3))
    assert_allclose(np.linalg.norm(A), np.sqrt(30))


def test_text_is_refused_and_missing_values_stay():
    with pytest.raises(ValueError, match=r"design_matrix: X must contain numbers"):
        design_matrix([["a"]])
    assert np.isnan(design_matrix([[np.nan]])[0, 1])
