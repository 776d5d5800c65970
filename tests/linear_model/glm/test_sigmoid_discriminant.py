"""The sigmoid unit by squared error."""

import numpy as np
import pytest
from scipy.special import expit

from gramian import LogisticRegression, SigmoidDiscriminant
from tests.linear_model.glm.test_logistic_regression import binary, several


@pytest.mark.parametrize("make", [binary, several])
def test_the_gradient_of_the_sigmoid_discriminant_is_zero(make):
    """LC-25: sum (r - s) s (1 - s) x = alpha w, for each output."""
    X, y = make()
    model = SigmoidDiscriminant(alpha=0.01, tol=1e-9).fit(X, y)
    S = expit(X @ model.coef_.T + model.intercept_)
    R = (y == 1)[:, None] if len(model.coef_) == 1 else y[:, None] == model.classes_
    push = ((R - S) * S * (1 - S)).T
    np.testing.assert_allclose(push @ X / len(y), 0.01 * model.coef_, atol=1e-7)
    np.testing.assert_allclose(push.mean(axis=1), 0, atol=1e-7)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.score(X, y) > (0.7 if make is binary else 0.5)


def test_sigmoid_discriminant_by_gradient_descent():
    X, y = binary()
    best = SigmoidDiscriminant(alpha=0.05, tol=1e-7).fit(X, y)
    slow = SigmoidDiscriminant(alpha=0.05, tol=1e-5, solver="gradient", max_iter=20_000).fit(X, y)
    np.testing.assert_allclose(slow.coef_, best.coef_, atol=1e-3)
    rows = SigmoidDiscriminant(alpha=0.05, tol=1e-2, solver="sgd", random_state=0).fit(X, y)
    np.testing.assert_allclose(rows.coef_, best.coef_, atol=0.1)


def test_sigmoid_discriminant_is_robust_to_an_outlier():
    """Rows far on the wrong side push by s (1 - s), which is nearly 0 there."""
    X, y = binary(200, 2, scale=3)
    w = np.array([40.0, 0.0])
    wrong = int(SigmoidDiscriminant().fit(X, y).predict([w])[0] == 0)
    spoiled = np.r_[X, [w] * 5], np.r_[y, [wrong] * 5]
    square = SigmoidDiscriminant().fit(*spoiled).score(X, y)
    assert square > LogisticRegression().fit(*spoiled).score(X, y)
    with pytest.raises(ValueError, match="at least 2 classes"):
        SigmoidDiscriminant().fit(X, np.zeros(200))
