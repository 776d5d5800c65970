"""Ridge by QR, and with coefficients >= 0."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import Ridge
from gramian.base.rows.moments import Rows
from gramian.linear_model.ridge.ridge_problem import RidgeProblem
from gramian.linear_model.ridge.ridge_qr import by_qr
from tests.linear_model.data import table
from tests.linear_model.ridge.ridge_data import gradient


@pytest.mark.parametrize("penalize_intercept", [False, True])
def test_columns_too_large_to_square_are_fitted(penalize_intercept):
    """Their squares overflow, but QR of scaled columns needs no squares."""
    X, y, _ = table()
    settings = {"penalize_intercept": penalize_intercept}
    plain = Ridge(0.0, **settings).fit(X, y)
    assert_allclose(Ridge(0.0, **settings).fit(X * 1e300, y).coef_ * 1e300, plain.coef_, rtol=1e-9)
    assert np.isfinite(Ridge(1.0, **settings).fit(X * 1e300, y).coef_).all()


@pytest.mark.parametrize("mean", [-100.0, 0.0, 100.0])
@pytest.mark.parametrize("penalize_intercept", [False, True])
def test_positive(penalize_intercept, mean):
    X, y, w = table(d=6, seed=3)
    y = y - y.mean() + mean
    model = Ridge(2.0, positive=True, penalize_intercept=penalize_intercept).fit(X, y, w)
    *found, at_bias = gradient(model, X, y, w, 2.0, np.eye(6), penalised_bias=penalize_intercept)
    found, free = np.array(found), model.coef_ > 0
    assert at_bias == pytest.approx(0, abs=1e-7)  # the bias may have either sign
    assert 0 < free.sum() < 6
    assert_allclose(found[free], 0, atol=1e-7)
    assert (found[~free] < 1e-7).all()  # growing from 0 would not help


@pytest.mark.parametrize(("fit", "penalise"), [(True, False), (True, True), (False, False)])
@pytest.mark.parametrize("matrix", [False, True])
def test_qr_satisfies_the_normal_equations(matrix, fit, penalise, rng):
    X, Y, w = rng.normal(size=(30, 3)) + 2, rng.normal(size=(30, 2)), rng.random(30)
    P = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.5]]) if matrix else None
    problem = RidgeProblem(np.array([0.3, 5.0]), P, fit, penalise)
    for t, (*coef, bias) in enumerate(by_qr(Rows.of(X, Y, w), problem)):
        r = w * (Y[:, t] - X @ coef - bias)
        alpha = problem.alpha[t]
        pulled = alpha * (np.eye(3) if P is None else P) @ coef
        assert_allclose(X.T @ r, pulled, atol=1e-9)
        if fit:
            assert r.sum() == pytest.approx(alpha * bias if penalise else 0, abs=1e-9)
        else:
            assert bias == 0
