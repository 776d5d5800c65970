"""Kernel machines with one score."""

import numpy as np
import pytest

from gramian import SVR, OneClassSVM
from gramian.svm.single_machine import weighted_rows


def test_rows_of_weight_zero_are_ignored(rng):
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    weights = np.repeat([1.0, 0.0], 20)
    rows, left = weighted_rows(weights, 40)
    assert rows.tolist() == list(range(20))
    assert left.tolist() == [1.0] * 20
    weighted = SVR(gamma=0.5).fit(X, y, sample_weight=weights)
    fewer = SVR(gamma=0.5).fit(X[:20], y[:20])
    np.testing.assert_allclose(weighted.dual_coef_, fewer.dual_coef_, rtol=1e-12)
    np.testing.assert_array_equal(weighted.support_, fewer.support_)


def test_one_row_of_coefficients_is_required_of_a_file(rng):
    model = OneClassSVM().fit(rng.normal(size=(20, 2)))
    model.dual_coef_ = np.vstack([model.dual_coef_, model.dual_coef_])
    with pytest.raises(ValueError, match="one row"):
        model._check_loaded()
