"""Covariances of classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.covariance import shrunk_covariance

from gramian import LinearDiscriminantAnalysis
from gramian.base.errors import DataError, ParameterError
from gramian.discriminant_analysis.covariances import (
    check_finite_moments,
    estimate_covariance,
    principal_axes,
    shrunken,
    structured,
)

S = np.array([[2.0, 0.5], [0.5, 4.0]])


def test_shrinkage_is_scikit_learns():
    assert_allclose(shrunken(S, 0.3), shrunk_covariance(S, 0.3))


def test_structures_leave_out_correlations_and_differences_of_scale():
    assert structured(S, "full") is S
    assert_allclose(structured(S, "diagonal"), np.diag([2.0, 4.0]))
    assert_allclose(structured(S, "isotropic"), 3 * np.eye(2))


def test_principal_axes_of_columns_with_scales_far_apart_keep_their_digits():
    R = np.array([[1.0, 0.6, 0.3], [0.6, 1.0, 0.5], [0.3, 0.5, 1.0]])
    scale = np.array([1e-6, 1.0, 1e6])
    covariance = R * scale * scale[:, None]
    values, axes = principal_axes(covariance)
    assert (np.diff(values) > 0).all()
    assert_allclose(axes.T @ axes, np.eye(3), atol=1e-14)
    # The variance of a column that the larger ones do not explain.
    assert_allclose(values[0], 1e-12 / np.linalg.inv(R)[0, 0], rtol=1e-11)
    assert_allclose((axes / values) @ axes.T * scale * scale[:, None], np.linalg.inv(R), atol=1e-9)


def test_other_objects_than_covariance_estimators_are_refused():
    with pytest.raises(ParameterError, match="does not have a covariance_ attribute"):
        estimate_covariance(LinearDiscriminantAnalysis(), np.eye(3), None, _Other())
    with pytest.raises(DataError, match="overflow"):
        check_finite_moments(LinearDiscriminantAnalysis(), np.array([np.inf]))


class _Other(LinearDiscriminantAnalysis):
    def fit(self, X, y=None):
        return self
