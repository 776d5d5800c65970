"""Regression with nu."""

import numpy as np
import pytest
from sklearn import svm as peer

from gramian import SVR, NuSVR
from tests.svm.test_svr import waves


@pytest.mark.parametrize("nu", [0.2, 0.8])
def test_predictions_agree_with_scikit_learn(nu):
    X, y = waves()
    common = {"nu": nu, "C": 3.0, "tol": 1e-7}
    ours, theirs = NuSVR(**common).fit(X, y), peer.NuSVR(**common).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4)


def test_the_fitted_epsilon_gives_the_same_machine():
    X, y = waves()
    model = NuSVR(nu=0.4, C=3.0, tol=1e-8).fit(X, y)
    same = SVR(epsilon=model.epsilon_, C=3.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.predict(X), same.predict(X), atol=1e-4)
    outside = np.abs(y - model.predict(X)) > model.epsilon_ + 1e-5
    assert outside.mean() <= 0.4 <= len(model.support_) / len(X) + 1e-9
