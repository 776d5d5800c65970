"""The kernel perceptron: the textbook's algorithm, its primal form, bad input."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError
from gramian.kernels import RBF, Linear
from gramian.linear_model import KernelPerceptron
from gramian.linear_model.perceptron import kernel_perceptron

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 2))
ring = (np.hypot(*X.T) > 1.1).astype(int)


def by_hand(K, signs, eps):
    """KE-09: a = (y_1, 0, ...); while some y_i (K a)_i <= 0: a_i <- a_i + eps y_i."""
    a = np.zeros(len(signs))
    a[0] = signs[0]
    while True:
        mistakes = 0
        for i, s in enumerate(signs):
            if s * (K[i] @ a) <= 0:
                a[i] += eps * s
                mistakes += 1
        if mistakes == 0:
            return a


def test_it_equals_the_textbook_algorithm():
    model = KernelPerceptron(kernel=RBF(2.0), eta0=0.5).fit(X, ring)
    np.testing.assert_allclose(model.dual_coef_, by_hand(RBF(2.0)(X), 2.0 * ring - 1, 0.5))
    assert model.converged_
    assert model.score(X, ring) == 1.0


def test_the_primal_weights_of_the_linear_kernel():
    """w = Phi'a gives the same scores."""
    y = (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)
    model = KernelPerceptron(kernel=Linear()).fit(X, y)
    np.testing.assert_allclose(X @ model.coef_[0], model.decision_function(X), atol=1e-12)
    assert not hasattr(KernelPerceptron(kernel="rbf").fit(X, y), "coef_")


def test_rows_of_the_kernel_are_computed_where_the_matrix_is_too_large(monkeypatch):
    stored = KernelPerceptron(kernel=RBF(2.0)).fit(X, ring)
    monkeypatch.setattr(kernel_perceptron, "MAX_STORED_ROWS", 10)
    computed = KernelPerceptron(kernel=RBF(2.0)).fit(X, ring)
    np.testing.assert_array_equal(computed.dual_coef_, stored.dual_coef_)


def test_three_classes_and_real_data():
    data, labels = load_iris(return_X_y=True)
    model = KernelPerceptron(kernel="rbf", gamma=1.0).fit(data, labels)
    assert model.dual_coef_.shape == (150, 3)
    assert model.score(data, labels) > 0.97


def test_inseparable_rows_give_a_warning():
    with pytest.warns(ConvergenceWarning, match="there are still mistakes"):
        KernelPerceptron(kernel="linear", max_iter=5).fit(X, ring)
    with pytest.raises(DataError, match="2 classes"):
        KernelPerceptron().fit(X, np.zeros(60))
    with pytest.raises(DataError, match="square"):
        KernelPerceptron(kernel="precomputed").fit(X, ring)
