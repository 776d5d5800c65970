"""Lasso and elastic net with the penalty chosen by cross-validation."""

import numpy as np
import pytest
import sklearn.linear_model as peers
from sklearn.base import clone

from gramian import EarlyStopping, ElasticNetCV, Lasso, LassoCV, LogisticRegressionCV
from gramian.base.errors import ParameterError
from tests.linear_model.lasso.lasso_data import problem


def test_cross_validation_agrees_with_scikit_learn():
    X, y, _ = problem(1, 120, 15)
    ours, theirs = LassoCV(tol=1e-8).fit(X, y), peers.LassoCV(tol=1e-8, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-5)
    assert ours.alpha_ == pytest.approx(theirs.alpha_)
    few_rows = X[:30]
    ours = ElasticNetCV(l1_ratio=[0.4, 0.9], cv=3, alphas=20).fit(
        np.hstack([few_rows, few_rows**2, -(few_rows**3)]), y[:30]
    )
    assert ours.mse_path_.shape == (2, 20, 3)
    assert ours.l1_ratio_ in (0.4, 0.9)


@pytest.mark.parametrize("model", [Lasso(0.1), LassoCV(cv=3), LogisticRegressionCV(cv=3)])
def test_early_stopping_scores_models_only_where_there_are_any(model):
    X, y, _ = problem(11, 40, 3)
    target = y > y.mean() if isinstance(model, LogisticRegressionCV) else y
    scored = []

    def score(fitted, X, y):
        scored.append(np.shape(fitted.coef_)[-1])
        return fitted.score(X, y)

    watched = clone(model).set_callbacks(EarlyStopping(X, target, scoring=score, patience=1000))
    np.testing.assert_array_equal(watched.fit(X, target).coef_, clone(model).fit(X, target).coef_)
    assert set(scored) == ({3} if isinstance(model, Lasso) else set())


def test_the_grid_for_positive_coefficients_starts_at_the_first_non_zero():
    X = np.array([[3.0, -1.0], [2.0, -5.0], [5.0, -3.0], [1.0, -4.0]])
    y = X @ [1, -2]
    most = LassoCV(alphas=1, cv=2, eps=1, positive=True).fit(X, y).alpha_
    assert not Lasso(alpha=most, positive=True).fit(X, y).coef_.any()
    assert Lasso(alpha=0.99 * most, positive=True, tol=1e-8).fit(X, y).coef_.any()


def test_a_constant_target_has_a_grid_near_zero():
    X = np.random.default_rng(0).normal(size=(10, 3))
    model = LassoCV(alphas=3).fit(X, np.full(10, 5.0))
    np.testing.assert_array_equal(model.alphas_, [np.finfo(float).resolution] * 3)
    np.testing.assert_array_equal(model.predict(X), np.full(10, 5.0))


def test_alphas_are_numbers():
    with pytest.raises(TypeError, match=r"alphas\[1\] must be an instance of float, not str"):
        LassoCV(alphas=[1.0, "2"]).fit(np.eye(10), np.arange(10.0))


def test_l1_ratios_must_be_numbers():
    with pytest.raises(ParameterError, match="ElasticNetCV: l1_ratio must be an array of numbers"):
        ElasticNetCV(l1_ratio=["a", "b"]).fit(np.eye(6), np.arange(6.0))
