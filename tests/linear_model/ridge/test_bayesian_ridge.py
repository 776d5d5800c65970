import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn import linear_model
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning

from gramian import BayesianRidge, Ridge
from gramian.base.errors import ParameterError

X, y = load_diabetes(return_X_y=True)


@pytest.mark.parametrize("rows", [442, 8])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_it_agrees_with_scikit_learn(rows, fit_intercept):
    settings = {"compute_score": True, "fit_intercept": fit_intercept, "tol": 1e-6}
    settings |= {"alpha_1": 5.0, "alpha_2": 1e4} if rows < 10 else {}  # else noise may vanish
    weights = np.arange(rows) % 3 + 0.5
    ours = BayesianRidge(**settings).fit(X[:rows], y[:rows], weights)
    theirs = linear_model.BayesianRidge(**settings).fit(X[:rows], y[:rows], weights)
    assert ours.n_iter_ == theirs.n_iter_
    for name in ("coef_", "intercept_", "alpha_", "lambda_", "sigma_", "X_offset_"):
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-6, atol=1e-10)
    assert_allclose(ours.scores_[:-1], theirs.scores_[:-1], rtol=1e-8)
    for mine, other in zip(
        ours.predict(X, return_std=True), theirs.predict(X, return_std=True), strict=True
    ):
        assert_allclose(mine, other, rtol=1e-6)


def test_known_precisions_give_the_posterior_of_the_textbook():
    """Bishop 2006, 3.53 and 3.54: S = (lambda I + alpha X'X)^-1, m = alpha S X'y."""
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(20, 3)), rng.normal(size=20)
    alpha, scale = 4.0, 0.7
    model = BayesianRidge(
        optimize=False, alpha_init=alpha, lambda_init=scale, fit_intercept=False
    ).fit(A, b)
    S = np.linalg.inv(scale * np.eye(3) + alpha * A.T @ A)
    assert_allclose(model.sigma_, S)
    assert_allclose(model.coef_, alpha * S @ A.T @ b)
    ridge = Ridge(alpha=scale / alpha, fit_intercept=False).fit(A, b)
    assert_allclose(model.coef_, ridge.coef_)  # the posterior's mode
    _, std = model.predict(A[:2], return_std=True)
    assert_allclose(std**2, 1 / alpha + np.diag(A[:2] @ S @ A[:2].T))
    # the evidence is the density of y ~ N(0, I / alpha + X X' / lambda)
    marginal = stats.multivariate_normal(np.zeros(20), np.eye(20) / alpha + A @ A.T / scale)
    assert model.log_evidence_ == pytest.approx(marginal.logpdf(b))


@pytest.mark.parametrize("shape", [(30, 4), (4, 30)])
def test_the_precisions_maximise_the_evidence(shape):
    rng = np.random.default_rng(1)
    A = rng.normal(size=shape)
    b = A @ rng.normal(size=shape[1]) + 0.5 * rng.normal(size=shape[0])
    flat = {"alpha_1": 0, "alpha_2": 0, "lambda_1": 0, "lambda_2": 0, "fit_intercept": False}
    model = BayesianRidge(tol=1e-10, max_iter=20_000, **flat)
    if shape[0] < shape[1]:
        model.set_params(alpha_1=1.0, alpha_2=0.25)  # else noise may vanish
    model.fit(A, b)

    def score(alpha, scale):
        fixed = BayesianRidge(optimize=False, alpha_init=alpha, lambda_init=scale, **flat)
        prior = model.alpha_1 * np.log(alpha) - model.alpha_2 * alpha
        return fixed.fit(A, b).log_evidence_ + prior

    best = score(model.alpha_, model.lambda_)
    for factor in (0.9, 1.1):
        assert score(factor * model.alpha_, model.lambda_) < best
        assert score(model.alpha_, factor * model.lambda_) < best


def test_predictions_are_less_certain_far_from_the_rows():
    model = BayesianRidge().fit([[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9])
    _, std = model.predict([[1.5], [5.0], [50.0]], return_std=True)
    assert std[0] < std[1] < std[2]


def test_exact_fits_and_constant_targets():
    exact = BayesianRidge().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    assert_allclose(exact.predict([[3.0]]), [3.0], rtol=1e-4)
    constant = BayesianRidge().fit([[0.0], [1.0], [2.0]], [5.0, 5.0, 5.0])
    assert_allclose(constant.predict([[9.0]]), [5.0])


def test_too_few_iterations_give_a_warning():
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        BayesianRidge(max_iter=2, tol=1e-12).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BayesianRidge(max_iter=1).fit(X, y)  # one step is asked for


def test_fixed_precisions_are_required():
    with pytest.raises(ParameterError, match="set alpha_init and lambda_init"):
        BayesianRidge(optimize=False).fit(X, y)


@pytest.mark.parametrize("noise", [0.1, 1e-9])
def test_columns_nearly_alike_and_targets_nearly_explained(noise):
    """Where a Gram matrix has lost its digits, the rows are factorised instead."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(200, 3))
    A[:, 2] = A[:, 1] + 1e-7 * rng.normal(size=200)
    b = A @ [1.0, 2.0, 0.0] + noise * rng.normal(size=200)
    settings = {"tol": 1e-10, "alpha_2": 0.0}
    ours = BayesianRidge(**settings).fit(A, b)
    theirs = linear_model.BayesianRidge(**settings).fit(A, b)
    assert_allclose(ours.predict(A), theirs.predict(A), atol=1e-7)
    assert ours.alpha_ == pytest.approx(1 / noise**2, rel=0.5)


@pytest.mark.parametrize("shape", [(20, 10), (10, 20)])
def test_the_covariance_is_exact_if_x_explains_almost_all_of_y(shape):
    rng = np.random.default_rng(0)
    table = rng.normal(size=shape)
    model = BayesianRidge(fit_intercept=False).fit(table, table.sum(axis=1))
    precision = model.lambda_ * np.eye(shape[1]) + model.alpha_ * table.T @ table
    assert_allclose(model.sigma_, np.linalg.inv(precision), rtol=1e-6)
