"""Poisson regression."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model

from gramian import LogisticRegressionCV, PoissonRegressor, SigmoidDiscriminant
from gramian.base.errors import DataError
from tests.linear_model.glm.test_logistic_regression import binary


def counts(n=400, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, rng.poisson(np.exp(X @ (0.3 * rng.normal(size=d)) + 0.5)).astype(float)


@pytest.mark.parametrize("alpha", [0.0, 0.5])
@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
def test_poisson_gradient_is_zero_at_the_solution(alpha, solver):
    """mean (mu - y) x + alpha w = 0."""
    X, y = counts()
    model = PoissonRegressor(alpha=alpha, solver=solver, tol=1e-9, max_iter=500).fit(X, y)
    r = model.predict(X) - y
    np.testing.assert_allclose(X.T @ r / len(y) + alpha * model.coef_, 0, atol=1e-7)
    assert abs(r.mean()) < 1e-7


@pytest.mark.parametrize("weighted", [True, False])
def test_poisson_agrees_with_scikit_learn(weighted):
    X, y = counts()
    w = np.random.default_rng(1).random(len(y)) if weighted else None
    ours = PoissonRegressor(alpha=0.1, tol=1e-9).fit(X, y, sample_weight=w)
    theirs = sklearn.linear_model.PoissonRegressor(
        alpha=0.1, tol=1e-10, solver="newton-cholesky"
    ).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-7)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-7)
    assert ours.score(X, y, w) == pytest.approx(theirs.score(X, y, w), abs=1e-9)
    sparse = PoissonRegressor(alpha=0.1, tol=1e-9).fit(sp.csr_array(X), y, sample_weight=w)
    np.testing.assert_allclose(sparse.coef_, ours.coef_, atol=1e-9)


def test_poisson_many_rows_warm_start_and_bad_input():
    X, y = counts(60_000)
    model = PoissonRegressor(tol=1e-8, warm_start=True).fit(X, y)
    assert model.solver_ == "SubsampledNewton"
    plain = PoissonRegressor(tol=1e-8, solver="newton-cholesky").fit(X, y)
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-7)
    again = PoissonRegressor(tol=1e-6, warm_start=True, solver="newton-cholesky").fit(X, y)
    assert again.fit(X, y).n_iter_ == 0
    with pytest.raises(ValueError, match="must not be negative; got -1 at row 3"):
        PoissonRegressor().fit(X[:5], [0, 1, 2, -1, 0])
    with pytest.raises(ValueError, match="every y of positive weight is zero"):
        PoissonRegressor().fit(X[:5], np.zeros(5))


@pytest.mark.parametrize(
    "model", [LogisticRegressionCV(), PoissonRegressor(), SigmoidDiscriminant()]
)
def test_columns_too_large_to_square_are_refused(model):
    X, y = binary()
    with pytest.raises(DataError, match="scale the columns"):
        model.fit(X * 1e160, y)


def test_rows_of_zero_weight_are_not_counts():
    X, y = np.array([[0.0], [1.0], [2.0], [5.0]]), np.array([1.0, 2.0, 4.0, -3.0])
    weights = np.array([1.0, 1.0, 1.0, 0.0])
    model = PoissonRegressor(alpha=0.1).fit(X, y, sample_weight=weights)
    alone = PoissonRegressor(alpha=0.1).fit(X[:3], y[:3])
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-6)
    assert model.score(X, y, sample_weight=weights) == pytest.approx(alone.score(X[:3], y[:3]))
    with pytest.raises(DataError, match="every y of positive weight is zero"):
        PoissonRegressor().fit(X, [0.0, 0.0, 0.0, 2.0], sample_weight=weights)
    with pytest.raises(DataError, match="at row 3"):
        PoissonRegressor().fit(X, y)


def test_a_constant_target_has_no_deviance_to_explain():
    X = np.array([[0.0], [1.0], [2.0]])
    assert np.isnan(PoissonRegressor().fit(X, [3, 3, 3]).score(X, [3, 3, 3]))


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
@pytest.mark.parametrize("size", [1e-2, 1e-4, 1e-8, 1e-100, 1e-300])
def test_small_rates_have_the_coefficients_of_their_counts(size, solver):
    """With no penalty, y * s has the same coefficients as y, and an intercept log s greater."""
    X, y = counts()
    plain = PoissonRegressor(alpha=0, solver=solver, tol=1e-6).fit(X, y)
    small = PoissonRegressor(alpha=0, solver=solver, tol=1e-6).fit(X, y * size)
    np.testing.assert_allclose(small.coef_, plain.coef_, atol=1e-5)
    assert small.intercept_ - np.log(size) == pytest.approx(plain.intercept_, abs=1e-5)
    at = [model.predict(X) / s for model, s in ((plain, 1.0), (small, size))]
    np.testing.assert_allclose(at[1], at[0], rtol=1e-4)
    cost = np.mean(small.predict(X) - y * size * np.log(small.predict(X)))
    assert small.objective_ == pytest.approx(cost)


@pytest.mark.parametrize("exponent", [-20, -200])
def test_a_small_penalty_acts_on_small_rates(exponent):
    X, y = counts()
    plain = PoissonRegressor(alpha=0.1).fit(X, y)
    small = PoissonRegressor(alpha=np.ldexp(0.1, exponent)).fit(X, np.ldexp(y, exponent))
    np.testing.assert_allclose(small.coef_, plain.coef_, atol=1e-3)


def test_a_large_penalty_leaves_the_mean_of_small_rates():
    X, y = counts()
    model = PoissonRegressor().fit(X, y * 1e-300)
    np.testing.assert_allclose(model.coef_, 0, atol=1e-100)
    np.testing.assert_allclose(model.predict(X), y.mean() * 1e-300)


def test_a_warm_start_of_small_rates_is_the_last_solution():
    X, y = counts()
    model = PoissonRegressor(alpha=0, warm_start=True).fit(X, y * 1e-100)
    assert model.n_iter_ > 0
    assert model.fit(X, y * 1e-100).n_iter_ == 0


def test_counts_too_large_to_square_are_refused_by_their_name():
    X, y = counts()
    with pytest.raises(DataError, match=r"PoissonRegressor: y must .* Divide y by a constant"):
        PoissonRegressor(alpha=0).fit(X, y * 1e160)
