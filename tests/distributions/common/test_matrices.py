"""Positive definite matrices."""

import numpy as np
import pytest
from scipy.special import multigammaln

from gramian.base.errors import ParameterError
from gramian.distributions.common.matrices import (
    check_scale_matrix,
    cholesky_where_possible,
    is_positive_definite,
    multivariate_digamma,
)


def test_invalid_scale_matrices_are_rejected():
    with pytest.raises(ParameterError, match="square"):
        check_scale_matrix("W", "scale", np.ones((2, 3)))
    with pytest.raises(ParameterError, match="symmetric"):
        check_scale_matrix("W", "scale", np.array([[1.0, 0.5], [0.0, 1.0]]))
    with pytest.raises(ParameterError, match="positive definite"):
        check_scale_matrix("W", "scale", np.ones((2, 2)))


def test_which_matrices_are_positive_definite():
    X = np.array([np.eye(2), np.ones((2, 2)), [[1, 0.5], [0, 1]], np.full((2, 2), np.nan)])
    assert is_positive_definite(X).tolist() == [True, False, False, False]


def test_digamma_is_the_derivative():
    h = 1e-5
    slope = (multigammaln(4 + h, 3) - multigammaln(4 - h, 3)) / (2 * h)
    assert multivariate_digamma(4.0, 3) == pytest.approx(slope, rel=1e-8)


def test_cholesky_factors_of_positive_definite_matrices():
    X = np.array([[[4.0, 2.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]]])
    inside, roots = cholesky_where_possible(X)
    assert inside.tolist() == [True, False]
    assert roots.tolist() == [[[2.0, 0.0], [1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]]]


def test_a_matrix_that_rounding_makes_singular_has_no_factor():
    almost = np.array([[1.0, 1.0], [1.0, 1.0 + 2e-16]])
    inside, roots = cholesky_where_possible(np.array([almost, 4 * np.eye(2)]))
    assert inside[1]
    assert roots[1].tolist() == [[2.0, 0.0], [0.0, 2.0]]
    assert np.isfinite(roots).all()
