"""Correct digits: NIST's certified data sets, and polynomials against exact fractions.

The certified values (NIST Statistical Reference Datasets, public domain) have 15 digits.
"""

import json
import math
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from scipy.linalg import LinAlgWarning

from gramian import Lasso, LinearRegression, Ridge
from gramian.base.errors import DataError
from tests.linear_model.data import table

SETS = json.loads((Path(__file__).parents[2] / "data" / "nist-linear.json").read_text())


WANTED = {
    "Longley": 12,
    "Wampler1": 12,
    "Wampler2": 12,
    "Wampler3": 12,
    "Wampler4": 9.5,
    "Wampler5": 9.5,
}


def digits(found, certified) -> float:
    """Correct digits of the worst number."""
    return min(
        15.0 if a == b else -math.log10(abs(a - b) / abs(b))
        for a, b in zip(np.ravel(found), np.ravel(certified), strict=True)
    )


def fitted(name):
    certified = SETS[name]
    X, y = np.array(certified["X"], dtype=float), np.array(certified["y"], dtype=float)
    return LinearRegression().fit(X, y), certified


@pytest.mark.parametrize("name", SETS)
def test_certified_coefficients(name):
    model, certified = fitted(name)
    assert digits([model.intercept_, *model.coef_], certified["beta"]) >= WANTED[name]
    assert "refined" in model.solver_


@pytest.mark.parametrize("name", [name for name in SETS if SETS[name]["sd"][0]])
def test_certified_standard_errors(name):
    model, certified = fitted(name)
    errors = model.inference_["standard_error"]
    assert digits([errors[-1], *errors[:-1]], certified["sd"]) >= 10


@pytest.mark.parametrize("name", ["Wampler1", "Wampler2"])
def test_an_exact_fit_has_tiny_standard_errors(name):
    model, _ = fitted(name)
    assert model.inference_["standard_error"].max() < 1e-12


def exact_least_squares(A, y):
    """Gauss-Jordan on the normal equations, in fractions."""
    A = [[Fraction(float(a)) for a in row] for row in A]
    y = [Fraction(float(t)) for t in y]
    p = len(A[0])
    M = [
        [sum(r[i] * r[j] for r in A) for j in range(p)]
        + [sum(r[i] * t for r, t in zip(A, y, strict=True))]
        for i in range(p)
    ]
    for i in range(p):
        M[i] = [x / M[i][i] for x in M[i]]
        for k in range(p):
            if k != i:
                M[k] = [x - M[k][i] * z for x, z in zip(M[k], M[i], strict=True)]
    return [float(row[-1]) for row in M]


@pytest.mark.parametrize(("low", "high", "wanted"), [(-9, -3, 8), (0, 1000, 10)])
@pytest.mark.parametrize("noise", [0.0, 1e-3])
def test_polynomials_of_degree_ten(low, high, wanted, noise):
    x = np.linspace(low, high, 60)
    powers = np.vander(x, 11, increasing=True)
    y = powers.sum(axis=1)
    y += noise * y.std() * np.random.default_rng(0).normal(size=60)
    model = LinearRegression().fit(powers[:, 1:], y)
    found = [model.intercept_, *model.coef_]
    assert digits(found, exact_least_squares(powers, y)) >= wanted


def test_a_warning_above_a_scaled_condition_of_1e14(rng):
    X = rng.normal(size=(50, 2))
    near = np.column_stack([X, X[:, 0] + 1e-15 * rng.normal(size=50)])
    with pytest.warns(LinAlgWarning, match=r"LinearRegression: .* condition .* use Ridge"):
        LinearRegression().fit(near, X[:, 1])


def test_no_warning_where_columns_only_differ_in_scale(rng):
    X = rng.normal(size=(50, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LinearRegression().fit(X * [1e-100, 1.0, 1e120], X.sum(axis=1))
    np.testing.assert_allclose(model.coef_ * [1e-100, 1.0, 1e120], 1, rtol=1e-12)


def test_well_conditioned_data_are_solved_in_one_pass(rng):
    X = rng.normal(size=(500, 5)) + 1e6
    y = X @ np.arange(5.0) + rng.normal(size=500)
    assert LinearRegression().fit(X, y).solver_ == "cholesky"


@pytest.mark.parametrize("size", [1e-165, 1e-200, 1e-300])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(alpha=0), Lasso(alpha=0)])
def test_a_column_whose_squares_underflow_is_not_constant(model, make, size):
    X, y, w = table(50, 3)
    plain = model.fit(X, y, w).coef_
    scaled = model.fit(make(X * [size, 1, 1]), y, w)
    assert_allclose(scaled.coef_ * [size, 1, 1], plain, rtol=1e-9)
    assert getattr(scaled, "rank_", 3) == 3


def test_a_column_that_varies_in_rows_without_weight_is_constant():
    X, y, w = table(50, 3)
    X[:, 0], w[7] = 2.0, 0.0
    X[7, 0] = 5.0
    model = LinearRegression().fit(X, y, w)
    assert (model.rank_, model.solver_) == (2, "cholesky")
    assert model.coef_[0] == 0


def test_columns_too_small_for_their_coefficients_are_refused():
    X, y, _ = table(50, 3)
    with pytest.raises(DataError, match="Scale the columns"):
        LinearRegression().fit(X * [1e-310, 1, 1], y)
