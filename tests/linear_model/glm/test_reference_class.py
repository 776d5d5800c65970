"""Softmax with a reference class."""

import numpy as np
import pytest

from gramian import LogisticRegression
from gramian.linear_model.glm.reference_class import ReferenceProblem
from gramian.objectives import LinearProblem, Softmax
from tests.linear_model.glm.logistic_data import INF, several


def test_reference_class_has_no_weights_and_the_odds_are_relative_to_it():
    """LC-24: P(C_K) = 1 / (1 + sum exp); without a penalty it is softmax itself."""
    X, y = several(classes=3)
    model = LogisticRegression(C=INF, multi_class="reference", tol=1e-9).fit(X, y)
    np.testing.assert_array_equal(model.coef_[2], 0)
    assert model.intercept_[2] == 0
    E = np.exp(X @ model.coef_[:2].T + model.intercept_[:2])
    np.testing.assert_allclose(model.predict_proba(X)[:, 2], 1 / (1 + E.sum(axis=1)))
    full = LogisticRegression(C=INF, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), full.predict_proba(X), atol=1e-6)
    first = LogisticRegression(multi_class="reference", reference=0, tol=1e-9).fit(X, y)
    np.testing.assert_array_equal(first.coef_[0], 0)
    with pytest.raises(ValueError, match="reference must be one of the classes"):
        LogisticRegression(multi_class="reference", reference=7).fit(X, y)


@pytest.mark.parametrize("reference", [0, 1, 2])
def test_the_problem_is_softmax_with_the_weights_of_one_class_fixed_at_0(reference, rng):
    X, y = several(20, 3, 3)
    full = LinearProblem(X, y, Softmax(), outputs=3)
    problem = ReferenceProblem(X, y, Softmax(), outputs=3, reference=reference)
    W = rng.normal(size=(4, 2))
    x, v = W.reshape(-1), rng.normal(size=8)
    same = np.insert(W, reference, 0.0, axis=1).reshape(-1)
    free = np.delete(np.arange(12).reshape(4, 3), reference, axis=1).reshape(-1)
    assert problem.shape == (4, 2)
    assert problem.value(x) == pytest.approx(full.value(same))
    np.testing.assert_allclose(problem.gradient(x), full.gradient(same)[free], atol=1e-12)
    H = full.hessian(same)[np.ix_(free, free)]
    np.testing.assert_allclose(problem.hessian(x), H, atol=1e-12)
    np.testing.assert_allclose(problem.hessian_product(x, v), H @ v, atol=1e-12)
