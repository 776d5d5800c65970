"""Quadratic terms: their numbers, their order, and the quadrics they draw."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression

from gramian.base.errors import DataError
from gramian.preprocessing import QuadricFeatures, classify_quadric
from tests.preprocessing.planes import separable

TERMS = ["full", "axis-aligned", "quadratic", "squares"]


@pytest.mark.parametrize("d", [1, 2, 5, 12])
def test_the_number_of_columns_follows_the_formula(d, rng):
    sizes = {
        "full": (d**2 + 3 * d) // 2,
        "axis-aligned": 2 * d,
        "quadratic": d * (d + 1) // 2,
        "squares": d,
    }
    X = rng.normal(size=(3, d))
    for terms, size in sizes.items():
        for bias in (False, True):
            names = QuadricFeatures(terms, include_bias=bias).fit(X)
            assert names.transform(X).shape == (3, size + bias)
            assert len(names.get_feature_names_out()) == size + bias


@pytest.mark.parametrize("terms", TERMS)
def test_each_name_describes_its_column(terms, rng):
    X = rng.normal(size=(4, 3))
    names = QuadricFeatures(terms, include_bias=True).fit(X)
    values = {"1": np.ones(4)} | {f"x{i}": X[:, i] for i in range(3)}
    for name, column in zip(names.get_feature_names_out(), names.transform(X).T, strict=True):
        factors = [values[f.removesuffix("^2")] ** (2 if "^2" in f else 1) for f in name.split()]
        assert_allclose(column, np.prod(factors, axis=0))


@pytest.mark.parametrize("terms", TERMS)
@pytest.mark.parametrize("bias", [False, True])
def test_the_quadric_of_the_weights_is_the_linear_function_of_the_terms(terms, bias, rng):
    X = rng.normal(size=(6, 3))
    names = QuadricFeatures(terms, include_bias=bias)
    Z = names.fit_transform(X)
    w = rng.normal(size=Z.shape[1])
    quadric = names.quadric(w, 0.7)
    assert_allclose(quadric(X), Z @ w + 0.7)
    assert_allclose(quadric.matrix, quadric.matrix.T)


def test_xor_is_not_separable_but_is_after_the_product_of_worked_number_t26():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    xor = np.array([0, 1, 1, 0])
    names = QuadricFeatures()
    Z = names.fit_transform(X)
    assert list(names.get_feature_names_out())[3] == "x0 x1"
    assert not separable(X, xor)
    assert separable(np.column_stack([X, Z[:, 3]]), xor)
    # the plane of the textbook: x + y - 2 x y = 1/2
    assert_allclose(np.sign(Z @ [1, 1, 0, -2, 0] - 0.5), 2 * xor - 1)


def test_a_regression_over_the_full_terms_finds_any_quadric(rng):
    X = rng.normal(size=(50, 3))
    A, b, c = rng.normal(size=(3, 3)), rng.normal(size=3), 0.4
    A = (A + A.T) / 2
    y = np.einsum("ni,ij,nj->n", X, A, X) + X @ b + c
    names = QuadricFeatures()
    model = LinearRegression().fit(names.fit_transform(X), y)
    found = names.quadric(model.coef_, model.intercept_)
    assert_allclose(found.matrix, A, atol=1e-10)
    assert_allclose(found.linear, b, atol=1e-10)
    assert found.constant == pytest.approx(c)


def test_a_fitted_boundary_is_named():
    names = QuadricFeatures().fit(np.zeros((1, 2)))
    assert classify_quadric(*names.quadric([0, 0, 1, 0, 4], -1)) == "ellipse"
    assert classify_quadric(*names.quadric([0, 0, 1, 6, 1], -1)) == "hyperbola"


def test_weights_of_another_number_are_refused():
    names = QuadricFeatures().fit(np.zeros((1, 2)))
    with pytest.raises(DataError, match="each of the 5 terms; got 4"):
        names.quadric([1, 2, 3, 4])
