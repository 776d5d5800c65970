"""Kernel logistic regression: three solvers, one optimum; the linear kernel; weights."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, ParameterError
from gramian.kernels import RBF, Linear
from gramian.linear_model import KernelLogisticRegression, LogisticRegression

rng = np.random.default_rng(0)
X = rng.normal(size=(50, 2))
y = (np.hypot(*X.T) + 0.3 * rng.normal(size=50) > 1.1).astype(int)


def test_the_linear_kernel_is_logistic_regression():
    """f = X X'a + b with alpha a' X X' a = alpha |w|^2: the same minimum."""
    kernel = KernelLogisticRegression(alpha=0.5, kernel=Linear(), tol=1e-10).fit(X, y)
    primal = LogisticRegression(C=2.0, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(X.T @ kernel.dual_coef_, primal.coef_[0], atol=1e-6)
    np.testing.assert_allclose(kernel.intercept_, primal.intercept_, atol=1e-6)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_solvers_have_one_optimum(fit_intercept):
    """KE-10, KE-11: a <- a + eps (y - s(K a) - alpha a), for all rows or one at a time."""
    settings = {"alpha": 0.5, "kernel": RBF(0.5), "fit_intercept": fit_intercept}
    newton = KernelLogisticRegression(tol=1e-10, **settings).fit(X, y)
    r = y - expit(newton.decision_function(X))
    np.testing.assert_allclose(r, 0.5 * newton.dual_coef_, atol=1e-8)
    batch = KernelLogisticRegression(solver="gradient", tol=1e-5, max_iter=20_000, **settings).fit(
        X, y
    )
    np.testing.assert_allclose(batch.dual_coef_, newton.dual_coef_, atol=1e-3)
    sgd = KernelLogisticRegression(
        solver="sgd", tol=0.05, max_iter=300, random_state=0, **settings
    ).fit(X, y)
    np.testing.assert_allclose(sgd.predict_proba(X), newton.predict_proba(X), atol=0.05)


def test_one_gradient_step_is_the_textbook_formula():
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model = KernelLogisticRegression(
            alpha=1e-12, kernel=RBF(0.5), solver="gradient", eta0=0.1, max_iter=1,
            fit_intercept=False,
        ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(model.dual_coef_, 0.1 * (y - 0.5))


def test_weights_count_as_rows_repeated():
    w = rng.integers(0, 3, 50)
    settings = {"kernel": RBF(0.5), "tol": 1e-10}
    weighted = KernelLogisticRegression(**settings).fit(X, y, w)
    repeated = KernelLogisticRegression(**settings).fit(X.repeat(w, axis=0), y.repeat(w))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-7)


def test_three_classes_and_real_data():
    data, labels = load_iris(return_X_y=True)
    model = KernelLogisticRegression(alpha=0.1).fit(data, labels)
    p = model.predict_proba(data)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert model.score(data, labels) > 0.96
    assert model.intercept_.shape == (3,)


def test_bad_input():
    with pytest.raises(DataError, match="2 classes"):
        KernelLogisticRegression().fit(X, np.zeros(50))
    with pytest.raises(ParameterError, match="gamma must be"):
        KernelLogisticRegression(gamma=-1.0).fit(X, y)
