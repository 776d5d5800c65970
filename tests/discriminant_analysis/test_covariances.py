"""Covariances of classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.covariance import shrunk_covariance

from gramian import LinearDiscriminantAnalysis
from gramian.base.errors import DataError, ParameterError
from gramian.discriminant_analysis.covariances import (
    check_finite_moments,
    covariance_of,
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


def test_what_is_no_estimator_of_covariances_is_refused():
    with pytest.raises(ParameterError, match="does not have a covariance_ attribute"):
        covariance_of(LinearDiscriminantAnalysis(), np.eye(3), None, _Other())
    with pytest.raises(DataError, match="overflow"):
        check_finite_moments(LinearDiscriminantAnalysis(), np.array([np.inf]))


class _Other(LinearDiscriminantAnalysis):
    def fit(self, X, y=None):
        return self
