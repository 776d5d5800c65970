import numpy as np
import pytest
import sklearn.linear_model
from numpy.testing import assert_allclose, assert_array_equal

from gramian import LinearRegression, Ridge
from tests.linear_model.data import boston, table

T6_X, T6_Y = [[0.0, 0.0], [1.0, 1.0], [0.51, 0.49]], [0.0, 0.0, 1.0]


def test_t6_least_squares_on_nearly_collinear_points():
    """Worked number T6: 50 x1 - 50 x2, without noise."""
    model = LinearRegression().fit(T6_X, T6_Y)
    assert_allclose(model.coef_, [50, -50], rtol=1e-9)
    assert model.intercept_ == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("alpha", "weight", "bias"), [(0.01, 0.65789, 0.32895), (1.0, 0.0066658, 0.333289)]
)
def test_t6_ridge_with_an_unpenalised_bias(alpha, weight, bias):
    """Worked number T6, to half a unit of the last printed digit."""
    model = Ridge(alpha=alpha).fit(T6_X, T6_Y)
    assert_allclose(model.coef_, [weight, -weight], rtol=1e-4, atol=5e-6)
    assert model.intercept_ == pytest.approx(bias, abs=5e-6)


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
def test_agrees_with_scikit_learn_on_boston(data_folder, alpha):
    X, y = boston(data_folder)
    ours = Ridge(alpha).fit(X, y)
    theirs = sklearn.linear_model.Ridge(alpha, solver="cholesky").fit(X, y)

    def objective(model):
        return ((y - model.predict(X)) ** 2).sum() + alpha * (model.coef_**2).sum()

    assert objective(ours) == pytest.approx(objective(theirs), rel=1e-6)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9)


def test_every_target_has_its_alpha():
    X, Y, w = table(m=3)
    model = Ridge([0.1, 5.0, 0.1]).fit(X, Y, w)
    for t, alpha in enumerate([0.1, 5.0, 0.1]):
        assert_allclose(model.coef_[t], Ridge(alpha).fit(X, Y[:, t], w).coef_, rtol=1e-11)


def test_no_penalty_is_least_squares_and_a_huge_one_leaves_the_mean():
    X, y, _ = table()
    assert_array_equal(Ridge(0.0).fit(X, y).coef_, LinearRegression().fit(X, y).coef_)
    huge = Ridge(1e15).fit(X, y)
    assert_allclose(huge.coef_, 0, atol=1e-9)
    assert huge.intercept_ == pytest.approx(y.mean())


def test_a_column_without_penalty_is_fitted_freely():
    """A penalty per column: 0 leaves the column's coefficient to least squares."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    X -= X.mean(axis=0)
    X[:, 1] -= X[:, 0] * (X[:, 0] @ X[:, 1]) / (X[:, 0] @ X[:, 0])  # orthogonal columns
    y = X @ [3.0, 2.0]
    model = Ridge(1e6, penalty=[0.0, 1.0]).fit(X, y)
    assert model.coef_[0] == pytest.approx(3.0, rel=1e-9)
    assert abs(model.coef_[1]) < 1e-3


def test_ridge_is_the_mode_of_the_posterior():
    """alpha = sigma^2 / s^2: the posterior's gradient vanishes at the ridge solution (RG-13)."""
    X, y, _ = table()
    sigma2, s2 = 2.0, 0.4
    model = Ridge(sigma2 / s2, fit_intercept=False).fit(X, y)

    def log_posterior(c):
        return -((y - X @ c) ** 2).sum() / (2 * sigma2) - (c**2).sum() / (2 * s2)

    best = log_posterior(model.coef_)
    for step in np.eye(5) * 1e-3:
        assert log_posterior(model.coef_ + step) < best
        assert log_posterior(model.coef_ - step) < best


def test_weights_equal_repetition():
    X, y, _ = table(40)
    k = np.random.default_rng(1).integers(0, 4, size=40)
    weighted = Ridge(3.0).fit(X, y, k)
    repeated = Ridge(3.0).fit(np.repeat(X, k, axis=0), np.repeat(y, k))
    assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-9)


def test_float32_rows():
    X, y, w = table(20_000, 8)
    X = X.astype(np.float32)
    single, double = Ridge(5.0).fit(X, y, w), Ridge(5.0).fit(X.astype(float), y, w)
    assert single.coef_.dtype == np.float32
    assert_allclose(single.coef_, double.coef_, rtol=3e-7)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": -1.0}, "alpha must be a number >= 0"),
        ({"alpha": [1.0, 2.0]}, "one number or one per target"),
        ({"alpha": [-1.0]}, "finite numbers >= 0"),
        ({"penalty": [1.0, 2.0]}, "penalty must be 5 factors or a symmetric matrix"),
        ({"penalty": -np.ones(5)}, "no negative eigenvalue"),
        ({"penalty": np.triu(np.ones((5, 5)))}, "symmetric"),
    ],
)
def test_bad_parameters_raise_helpful_errors(settings, message):
    X, y, _ = table()
    with pytest.raises(ValueError, match=message) as error:
        Ridge(**settings).fit(X, y)
    assert str(error.value).startswith("Ridge: ")
