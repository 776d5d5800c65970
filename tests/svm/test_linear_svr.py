"""Linear support vector regression."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVR as PeerSVR

from gramian import LinearSVC, LinearSVR
from tests.svm.linear_svm_data import two_classes


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
@pytest.mark.parametrize("sparse", [False, True])
def test_regression_agrees_with_scikit_learn(loss, sparse):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = X @ [1.0, -2.0, 0.5, 0.0] + 0.3 * rng.normal(size=200) + 1
    table = sp.csr_array(X) if sparse else X
    common = {"loss": loss, "epsilon": 0.2, "C": 0.5, "tol": 1e-9, "max_iter": 1_000_000}
    ours, theirs = LinearSVR(**common).fit(table, y), PeerSVR(**common, dual=True).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    inside = np.abs(y - ours.predict(X)) < 0.2 - 1e-6
    assert (ours.dual_coef_[inside] == 0).all()


def test_too_few_sweeps_give_a_warning():
    X, y = two_classes()
    with pytest.warns(ConvergenceWarning, match="violated by"):
        LinearSVC(loss="hinge", max_iter=1, tol=1e-9).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="violated by"):
        LinearSVR(max_iter=1, tol=1e-9).fit(X, y)
