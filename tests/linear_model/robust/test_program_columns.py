"""Columns prepared for a piecewise linear fit, and its solution in the given units."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.linear_model.robust.program_columns import prepare_rows


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_residuals_in_the_given_units_match_the_prepared_rows(as_data, intercept, rng):
    """y - X c - b = unit (y' - X' b') for any b'."""
    X, y = rng.normal(size=(20, 3)) * [1, 100, 1e-3] + 5, rng.normal(size=20)
    ready = prepare_rows(as_data(X), y, None, intercept=intercept)
    b = rng.normal(size=ready.X.shape[1])
    coef, constant = ready.unpack(b)
    inside = ready.unit * (ready.y - ready.X @ b)
    np.testing.assert_allclose(y - X @ coef - constant, inside, atol=1e-9)
    assert ready.X.shape == (20, 3 + intercept)
    if not intercept:
        assert constant == 0


def test_columns_are_scaled_and_dependent_ones_dropped(rng):
    X = rng.normal(size=(20, 2)) * 1e6
    table = np.column_stack([X, X[:, 0] - X[:, 1], np.full(20, 3.0)])
    ready = prepare_rows(table, rng.normal(size=20), None, intercept=True)
    assert ready.X.shape[1] == 3  # two columns and the constant
    assert np.abs(ready.X).max() == 1
    assert np.linalg.matrix_rank(ready.X) == 3
    coef, _ = ready.unpack(np.ones(3))
    assert (coef != 0).sum() == 2
    assert coef[3] == 0


def test_equal_rows_are_merged_with_their_weights_and_rows_without_weight_go():
    X = np.array([[0.0], [1.0], [0.0], [2.0], [0.0]])
    y = np.array([5.0, 1.0, 5.0, 0.0, 4.0])
    ready = prepare_rows(X, y, np.array([1.0, 1.0, 2.5, 0.0, 1.0]), intercept=True)
    pairs = zip(ready.origin, ready.weights, strict=True)
    merged = {(float(X[i, 0]), float(y[i])): w for i, w in pairs}
    assert merged == {(0.0, 5.0): 3.5, (1.0, 1.0): 1.0, (0.0, 4.0): 1.0}


def test_distinct_rows_keep_their_order():
    X = np.array([[3.0], [1.0], [2.0]])
    assert prepare_rows(X, np.arange(3.0), None, intercept=True).origin.tolist() == [0, 1, 2]
