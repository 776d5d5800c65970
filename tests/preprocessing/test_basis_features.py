"""Basis functions against the formulas, and regressions over them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.linear_model import LinearRegression
from gramian.preprocessing import BasisFeatures

LINE = np.linspace(-1, 3, 9)[:, None]


def test_gaussian_functions_follow_bishop_3_4():
    names = BasisFeatures("gaussian", 5, scale=0.7).fit(LINE)
    mu = np.linspace(-1, 3, 5)
    assert_allclose(names.transform(LINE), np.exp(-((LINE - mu) ** 2) / (2 * 0.7**2)))
    assert_allclose(names.centers_[:, 0], mu)


def test_sigmoid_functions_follow_bishop_3_5():
    names = BasisFeatures("sigmoid", 5).fit(LINE)
    assert_allclose(names.scale_, [1.0])  # the spacing of the centres
    expected = 1 / (1 + np.exp(-(LINE - np.linspace(-1, 3, 5))))
    assert_allclose(names.transform(LINE), expected)


def test_polynomials_are_the_vandermonde_matrix():
    names = BasisFeatures("polynomial", 4, include_bias=True).fit_transform(LINE)
    assert_allclose(names, np.vander(LINE[:, 0], 5, increasing=True))


def test_a_custom_function_gets_centres_and_scale():
    names = BasisFeatures(np.sinc, 3, scale=2.0).fit_transform(LINE)
    assert_allclose(names, np.sinc((LINE - [-1, 1, 3]) / 2))


def test_every_column_has_functions_of_its_own(rng):
    X = rng.normal(size=(20, 2))
    both = BasisFeatures("gaussian", 3).fit_transform(X)
    each = [BasisFeatures("gaussian", 3).fit_transform(X[:, [k]]) for k in range(2)]
    assert_allclose(both, np.hstack(each))


def test_gaussians_around_given_centres_are_round(rng):
    X, mu = rng.normal(size=(20, 3)), rng.normal(size=(4, 3))
    names = BasisFeatures("gaussian", centers=mu, scale=1.3).fit_transform(X)
    squares = ((X[:, None] - mu) ** 2).sum(axis=2)
    assert_allclose(names, np.exp(-squares / (2 * 1.3**2)))


def test_the_scale_of_given_centres_is_their_mean_distance_to_the_nearest():
    names = BasisFeatures(centers=[[0, 0], [3, 4], [3, 10]]).fit(np.zeros((1, 2)))
    assert_allclose(names.scale_, (5 + 5 + 6) / 3)
    alone = BasisFeatures(centers=[[5.0]]).fit(LINE)
    assert_allclose(alone.scale_, 1)


def test_a_constant_column_and_a_single_function_are_finite():
    for count in (1, 3):
        names = BasisFeatures("gaussian", count).fit_transform([[2.0], [2.0]])
        assert_allclose(names, np.ones((2, count)))


def test_the_names_give_function_and_column():
    def names(**settings):
        return list(BasisFeatures(**settings).fit([[0.0, 1.0], [2.0, 3.0]]).get_feature_names_out())

    assert names(n_functions=1) == ["gaussian0(x0)", "gaussian0(x1)"]
    assert names(basis="polynomial", n_functions=2) == ["x0", "x0^2", "x1", "x1^2"]
    assert names(basis=np.tanh, centers=[[0, 0]], include_bias=True) == ["1", "basis0"]


def test_a_linear_model_over_gaussians_follows_a_curve(rng):
    """RG-08: the fit solves the normal equations of the design matrix Phi."""
    x = np.sort(rng.uniform(0, 1, 60))[:, None]
    y = np.sin(2 * np.pi * x[:, 0]) + rng.normal(scale=0.1, size=60)
    model = make_pipeline(BasisFeatures("gaussian", 7), LinearRegression()).fit(x, y)
    Phi = BasisFeatures("gaussian", 7, include_bias=True).fit_transform(x)
    residual = y - model.predict(x)
    assert_allclose(Phi.T @ residual, 0, atol=1e-8)
    assert np.abs(model.predict(x) - np.sin(2 * np.pi * x[:, 0])).max() < 0.15


@pytest.mark.parametrize("degree", [1, 3, 6])
def test_a_polynomial_of_degree_k_is_found_exactly(degree, rng):
    """RG-05: n > k points of a polynomial of degree k determine it."""
    polynomial = np.polynomial.Polynomial(rng.normal(size=degree + 1))
    x = np.linspace(-2, 2, degree + 5)[:, None]
    model = make_pipeline(BasisFeatures("polynomial", degree), LinearRegression())
    new = np.linspace(-3, 3, 11)[:, None]
    assert_allclose(model.fit(x, polynomial(x[:, 0])).predict(new), polynomial(new[:, 0]))


def test_a_polynomial_of_two_variables_is_found_exactly(rng):
    """RG-06: d = 2, p = 2 has the six terms 1, x1, x2, x1^2, x1 x2, x2^2."""
    X = rng.normal(size=(30, 2))
    terms = [1, X[:, 0], X[:, 1], X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2]
    weights = [0.3, 1.0, -2.0, 0.5, 4.0, -1.0]
    y = sum(w * term for w, term in zip(weights, terms, strict=True))
    model = make_pipeline(PolynomialFeatures(2), LinearRegression(fit_intercept=False)).fit(X, y)
    assert_allclose(model[-1].coef_, weights, atol=1e-10)


def test_a_basis_function_discriminant_separates_two_rings(rng):
    """LC-28: g_i(x) = sum_j w_ij phi_ij(x), here with round Gaussians."""
    angle, ring = rng.uniform(0, 2 * np.pi, 200), np.arange(200) % 2
    X = (1 + 2 * ring)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    grid = np.stack(np.meshgrid(*[np.linspace(-3, 3, 5)] * 2), axis=-1).reshape(-1, 2)
    scores = make_pipeline(
        MinMaxScaler((-3, 3)), BasisFeatures("gaussian", centers=grid), LinearRegression()
    ).fit(X, np.eye(2)[ring])
    assert (scores.predict(X).argmax(axis=1) == ring).all()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"basis": "polynomial", "centers": [[0.0]]}, ParameterError, "must be None"),
        ({"centers": [[0.0, 1.0]]}, DataError, r"the 1 columns of X.*got shape \(1, 2\)"),
        ({"centers": [[np.nan]]}, DataError, "must be finite"),
        ({"basis": np.sum}, DataError, r"elementwise function; it returned shape \(\)"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        BasisFeatures(**settings).fit(LINE).transform(LINE)


def test_a_gaussian_is_the_density_up_to_its_constant():
    names = BasisFeatures("gaussian", centers=[[0.5]], scale=2.0).fit_transform(LINE)
    density = norm(0.5, 2.0).pdf(LINE)
    assert_allclose(names / density, 2.0 * np.sqrt(2 * np.pi))


def test_centers_must_be_numbers():
    with pytest.raises(ParameterError, match="BasisFeatures: centers must be an array of numbers"):
        gramian.BasisFeatures(centers=["a", "b"]).fit([[0.0], [1.0]])
