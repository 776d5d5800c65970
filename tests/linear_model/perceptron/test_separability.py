"""Whether a hyperplane separates two classes, with a certificate."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris

from gramian.base.errors import DataError
from gramian.linear_model import separability
from gramian.linear_model.perceptron.separability import column_scales


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1.0, 1e15, np.array([1e-9, 1.0, 1e9, 1e3])])
def test_separability_does_not_depend_on_the_columns_units(unit):
    X, y = load_iris(return_X_y=True)
    first = separability(X * unit, y == 0)
    assert first.separable
    assert (np.where(y == 0, 1, -1) * (X * unit @ first.w + first.b) > 0).all()
    second = separability(X * unit, np.where(y == 1, "yes", "no"))
    assert not second.separable
    assert second.slack == pytest.approx(separability(X, y == 1).slack, rel=1e-6)


def test_separability_refuses_other_labels_and_missing_values():
    with pytest.raises(DataError, match="3 labels for 3 rows"):
        separability([[0.0], [1.0], [2.0]], [0, 1, 2])
    with pytest.raises(DataError, match="NaN or infinity"):
        separability([[0.0], [np.nan]], [0, 1])
    assert separability([[0.0], [1.0]], [1, 1]).separable


@pytest.mark.parametrize("sparse", [False, True])
def test_both_results_have_a_certificate(sparse):
    """A plane, or weights of the rows by which both classes have one mean."""
    X, y = load_iris(return_X_y=True)
    table = sp.csr_array(X) if sparse else X
    yes = separability(table, y == 0)
    assert yes.separable
    assert (np.where(y == 0, 1, -1) * (X @ yes.w + yes.b)).min() >= 1 - 1e-6
    assert not yes.multipliers.any()
    no = separability(table, y == 1)
    lam, signs = no.multipliers, np.where(y == 1, 1, -1)
    assert lam.min() >= -1e-9
    assert lam.sum() > 0
    assert lam @ signs == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose((lam * signs) @ X, 0, atol=1e-5)


def test_a_plane_through_the_origin_separates_less():
    X, y = np.array([[1.0], [2.0]]), np.array([-1, 1])
    assert separability(X, y).separable
    assert not separability(X, y, fit_intercept=False).separable


def test_column_scales_are_largest_absolute_values():
    assert column_scales(sp.csr_array([[1.0, 0.0], [-3.0, 0.0]])).tolist() == [3.0, 1.0]
