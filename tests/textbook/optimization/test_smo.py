"""Sequential minimal optimisation against the optimality conditions and scikit-learn."""

import numpy as np
import pytest
from sklearn.svm import SVC

from gramian.base.errors import DataError
from gramian.textbook.optimization import smo
from tests.solvers.problems import labelled_rows


@pytest.mark.parametrize("C", [0.5, np.where(np.arange(40) % 2, 0.3, 2.0)])
def test_smo_satisfies_the_optimality_conditions(C):
    X, y = labelled_rows()
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    found = smo(K, y, C, tol=1e-9)
    margins = y * (K @ (found.alpha * y) + found.b)
    bound = np.broadcast_to(C, 40)
    assert found.alpha @ y == pytest.approx(0, abs=1e-9)
    assert (found.alpha >= 0).all()
    assert (found.alpha <= bound).all()
    assert (margins[found.alpha == 0] >= 1 - 1e-7).all()
    assert (margins[found.alpha == bound] <= 1 + 1e-7).all()
    free = (found.alpha > 0) & (found.alpha < bound)
    np.testing.assert_allclose(margins[free], 1, atol=1e-7)
    primal = 0.5 * (found.alpha * y) @ K @ (found.alpha * y) + bound @ np.maximum(0, 1 - margins)
    assert found.value == pytest.approx(primal, rel=1e-7)


def test_smo_agrees_with_scikit_learn():
    X, y = labelled_rows()
    found = smo(X @ X.T, y, 1.0, tol=1e-8)
    peer = SVC(kernel="linear", C=1.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose((found.alpha * y) @ X, peer.coef_[0], atol=1e-6)
    assert found.b == pytest.approx(peer.intercept_[0], abs=1e-6)


def test_smo_stops_after_its_steps_and_refuses_wrong_shapes():
    X, y = labelled_rows()
    assert smo(X @ X.T, y, max_iter=3).steps == 3
    assert smo(X @ X.T, y, max_iter=3).violation > 0.1
    with pytest.raises(DataError, match="K must be square"):
        smo(X, y)
