"""Explicit feature maps of kernels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import DataError, ParameterError
from gramian.kernels import RBF, Polynomial, polynomial_feature_map, rbf_feature_map

rng = np.random.default_rng(0)


def test_the_quadratic_map_of_the_textbook():
    """E29, T21: with sqrt(2) x1 and sqrt(2) x2 the features give (x . z + 1)^2."""
    x, z = np.array([[2.0, -1.0]]), np.array([[0.5, 3.0]])
    root = np.sqrt(2)
    np.testing.assert_allclose(polynomial_feature_map(x), [[1, 2 * root, -root, 4, -2 * root, 1]])
    product = polynomial_feature_map(x) @ polynomial_feature_map(z).T
    assert product.item() == pytest.approx((2 * 0.5 - 3 + 1) ** 2)


@given(
    d=st.integers(1, 4),
    degree=st.integers(0, 4),
    gamma=st.floats(0.1, 3.0),
    coef0=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
)
def test_monomials_with_multinomial_weights_give_the_kernel(d, degree, gamma, coef0):
    X = np.random.default_rng(d).normal(size=(5, d))
    phi = polynomial_feature_map(X, degree, gamma=gamma, coef0=coef0)
    np.testing.assert_allclose(
        phi @ phi.T, Polynomial(degree, gamma, coef0)(X), rtol=1e-8, atol=1e-10
    )


def test_the_series_of_the_gaussian_kernel():
    """T21: x = 0.7, z = -0.4, s = 1.3 gives 0.699081; the truncated sums converge to it."""
    exact = RBF.from_length_scale(1.3)([[0.7]], [[-0.4]]).item()
    assert exact == pytest.approx(0.699081, abs=5e-7)
    errors = []
    for n_terms in (1, 3, 6, 12):
        x, z = rbf_feature_map([[0.7], [-0.4]], n_terms, length_scale=1.3)
        errors.append(abs(float(x @ z) - exact))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-12


def test_the_series_in_several_dimensions_and_far_out():
    X = rng.normal(size=(6, 2))
    phi = rbf_feature_map(X, 25, length_scale=1.5)
    np.testing.assert_allclose(phi @ phi.T, RBF.from_length_scale(1.5)(X), atol=1e-8)
    far = rbf_feature_map([[100.0], [0.0]], 5)
    assert np.isfinite(far).all()
    assert far[1].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ParameterError, lambda: polynomial_feature_map([[1.0]], -1)),
        (ParameterError, lambda: polynomial_feature_map([[1.0]], 2, coef0=-1.0)),
        (ParameterError, lambda: polynomial_feature_map([[1.0]], 2, gamma="scale")),
        (ParameterError, lambda: rbf_feature_map([[1.0]], 0)),
        (ParameterError, lambda: rbf_feature_map([[1.0]], length_scale="1")),
        (ParameterError, lambda: rbf_feature_map([[1.0]], length_scale=0.0)),
        (DataError, lambda: polynomial_feature_map(np.ones((1, 100)), 6)),
        (DataError, lambda: rbf_feature_map(np.ones((1, 50)), 20)),
    ],
)
def test_bad_input(error, call):
    with pytest.raises(error):
        call()
