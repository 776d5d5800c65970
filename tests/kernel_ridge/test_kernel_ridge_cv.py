"""Leave-one-out for every penalty against refits."""

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from gramian.base.errors import ParameterError
from gramian.kernel_ridge import KernelRidge, KernelRidgeCV

rng = np.random.default_rng(0)
X = rng.uniform(-2, 2, size=(40, 2))
y = np.sin(2 * X[:, 0]) + rng.normal(0, 0.3, 40)
ALPHAS = np.logspace(-3, 2, 9)


def test_leave_one_out_errors_equal_refitting():
    model = KernelRidgeCV(ALPHAS, kernel="rbf", store_cv_results=True).fit(X, y)
    for k in (0, 5):
        refit = KernelRidge(ALPHAS[k], kernel="rbf")
        left_out = cross_val_predict(refit, X, y, cv=LeaveOneOut())
        np.testing.assert_allclose(model.cv_results_[:, k], (y - left_out) ** 2, rtol=1e-6)
    assert model.alpha_ == ALPHAS[model.cv_results_.mean(axis=0).argmin()]
    assert model.best_score_ == pytest.approx(-model.cv_results_.mean(axis=0).min())
    best = KernelRidge(model.alpha_, kernel="rbf").fit(X, y)
    np.testing.assert_allclose(model.predict(X), best.predict(X), rtol=1e-8, atol=1e-10)


def test_weights_and_targets():
    Y = np.column_stack([y, 100 * X[:, 1]])
    w = rng.integers(0, 3, 40).astype(float)
    model = KernelRidgeCV(ALPHAS, kernel="rbf", alpha_per_target=True, store_cv_results=True)
    model.fit(X, Y, w)
    assert model.alpha_.shape == (2,)
    for j in range(2):
        best = KernelRidge(model.alpha_[j], kernel="rbf").fit(X, Y[:, j], w)
        np.testing.assert_allclose(model.predict(X)[:, j], best.predict(X), rtol=1e-7, atol=1e-8)
    i = int(np.flatnonzero(w == 2)[0])
    without = w.copy()
    without[i] = 0
    refit = KernelRidge(ALPHAS[3], kernel="rbf").fit(X, y, without)
    error = w[i] * (y[i] - refit.predict(X[[i]])[0]) ** 2
    assert model.cv_results_[i, 0, 3] == pytest.approx(error, rel=1e-6)


@pytest.mark.parametrize("alphas", [[], [0.0], [1.0, np.nan], ["one"]])
def test_alphas_must_be_positive(alphas):
    with pytest.raises(ParameterError, match="alphas must contain"):
        KernelRidgeCV(alphas).fit(X, y)
