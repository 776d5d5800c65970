import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import LinearRegression, Ridge
from gramian.linear_model import hat_matrix, ridge_path, shrinkage, truncated_least_squares
from tests.linear_model.data import table

ALPHAS = np.logspace(-2, 4, 9)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_path_is_ridge_at_every_alpha(fit_intercept):
    X, y, _ = table()
    path = ridge_path(X, y, ALPHAS, fit_intercept=fit_intercept)
    for a, alpha in enumerate(ALPHAS):
        model = Ridge(alpha, fit_intercept=fit_intercept).fit(X, y)
        assert_allclose(path.coef[a], model.coef_, rtol=1e-8)
        assert path.intercept[a] == pytest.approx(model.intercept_, rel=1e-8)
        assert path.train_error[a] == pytest.approx(((y - model.predict(X)) ** 2).mean())


def test_weights_and_variance_fall_and_bias_grows_with_alpha():
    X, y, _ = table()
    path = ridge_path(X, y, ALPHAS)
    assert (np.diff(np.linalg.norm(path.coef, axis=1)) < 0).all()
    assert (np.diff(path.variance) < 0).all()
    assert (np.diff(path.bias2) > 0).all()
    assert (np.diff(path.train_error) > 0).all()
    assert (np.diff(path.degrees_of_freedom) < 0).all()


@pytest.mark.slow
def test_bias_and_variance_agree_with_repeated_draws():
    """4000 draws of noise are 4000 targets of one ridge fit."""
    rng = np.random.default_rng(0)
    X, _, _ = table(40, 5)
    f = np.sin(X).sum(axis=1)
    path = ridge_path(X, f, [30.0], noise=1.44, truth=f)
    predictions = Ridge(30.0).fit(X, f[:, None] + 1.2 * rng.normal(size=(40, 4000))).predict(X)
    assert path.variance[0] == pytest.approx(predictions.var(axis=1).mean(), rel=0.03)
    assert path.bias2[0] == pytest.approx(((predictions.mean(axis=1) - f) ** 2).mean(), rel=0.05)


def test_test_error():
    X, y, _ = table()
    path = ridge_path(X[:50], y[:50], [1.0], X_test=X[50:], y_test=y[50:])
    model = Ridge(1.0).fit(X[:50], y[:50])
    assert path.test_error == pytest.approx(((y[50:] - model.predict(X[50:])) ** 2).mean())


def test_shrinkage_gives_the_ridge_solution_through_the_svd():
    X, y, _ = table()
    U, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    coef = Vt.T @ (shrinkage(s, 3.0) * (U.T @ (y - y.mean())))
    assert_allclose(coef, Ridge(3.0).fit(X, y).coef_, rtol=1e-9)
    assert_allclose(shrinkage(s, 0.0), 1 / s)


def test_truncation_drops_directions_that_ridge_shrinks():
    X, y, _ = table()
    _, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    full = LinearRegression().fit(X, y).coef_
    for kept in range(1, 6):
        coef, intercept = truncated_least_squares(X, y, kept)
        assert_allclose(Vt[:kept] @ coef, Vt[:kept] @ full, rtol=1e-8)
        assert_allclose(Vt[kept:] @ coef, 0, atol=1e-9)
        assert intercept == pytest.approx(y.mean() - coef @ X.mean(axis=0))
    faded = (Vt @ Ridge(5.0).fit(X, y).coef_) / (Vt @ full)
    assert_allclose(faded, s**2 / (s**2 + 5), rtol=1e-6)


def test_degrees_of_freedom_are_the_trace_of_the_smoother():
    X, y, _ = table(30, 4)
    path = ridge_path(X, y, [0.0, 7.0])
    assert path.degrees_of_freedom[0] == pytest.approx(np.trace(hat_matrix(X)))
    centred = X - X.mean(axis=0)
    smoother = centred @ np.linalg.solve(centred.T @ centred + 7 * np.eye(4), centred.T)
    assert path.degrees_of_freedom[1] == pytest.approx(1 + np.trace(smoother))
