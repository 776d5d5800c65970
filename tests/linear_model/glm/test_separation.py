"""Separable classes: weights without bound."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from gramian import LogisticRegression
from gramian.linear_model.glm.separation import separates
from gramian.textbook.linear_classifiers import Hyperplane
from tests.linear_model.glm.logistic_data import INF


def test_xor_becomes_separable_with_the_product_of_its_columns():
    """T26: XOR is not linearly separable; with x1 x2 as a third column it is."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    y = np.array([0, 1, 1, 0])
    plain = LogisticRegression(C=INF).fit(X, y)
    assert not plain.separable_
    np.testing.assert_allclose(plain.predict_proba(X), 0.5, atol=1e-6)
    lifted = np.c_[X, X[:, 0] * X[:, 1]]
    with pytest.warns(ConvergenceWarning, match="separable"):
        model = LogisticRegression(C=INF).fit(lifted, y)
    assert model.separable_
    assert model.score(lifted, y) == 1


def test_weights_of_separable_data_grow_towards_the_widest_margin():
    """LC-20: |w| -> infinity, J -> 0, and the direction tends to that of the widest margin."""
    X = np.array([[0.0, 0.0], [-5.0, 3.0], [-1.0, -9.0], [2.0, 0.0], [4.0, 8.0], [20.0, 1.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    lengths, margins = [], []
    for tol in (1e-1, 1e-3, 1e-8):
        with pytest.warns(ConvergenceWarning, match="Set a finite C"):
            model = LogisticRegression(C=INF, tol=tol, max_iter=1000).fit(X, y)
        assert model.separable_
        lengths.append(np.linalg.norm(model.coef_))
        margins.append(((2 * y - 1) * Hyperplane.of(model).distance(X)).min())
    assert lengths[0] < lengths[1] < lengths[2]
    assert margins[0] < margins[1] < margins[2]
    widest = 1 / np.linalg.norm(SVC(kernel="linear", C=1e9).fit(X, y).coef_)
    assert margins[2] == pytest.approx(widest, rel=0.05)


def test_separable_rows_of_many_classes_give_a_warning():
    X = np.random.default_rng(1).normal(size=(80, 40))
    with pytest.warns(ConvergenceWarning, match="separable") as raised:
        model = LogisticRegression(C=INF).fit(X, np.arange(80) % 10)
    assert model.separable_
    assert raised[0].filename == __file__


@pytest.mark.parametrize(
    ("scores", "targets", "weights", "expected"),
    [
        ([-1.0, 2.0], [0, 1], [1, 1], True),
        ([-1.0, 0.0], [0, 1], [1, 1], False),  # on the plane
        ([-1.0, -2.0], [0, 1], [1, 0], True),  # the wrong row does not count
        ([-1.0, 2.0], [0.0, 0.9], [1, 1], False),  # a certain prediction would cost infinity
        ([[2.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0, 2], [1, 1], True),
        ([[2.0, 2.0, 0.0], [0.0, 0.0, 1.0]], [0, 2], [1, 1], False),  # a tie
        ([[2.0, 1.0]], [[1.0, 0.0]], [1], True),
        ([[2.0, 1.0]], [[0.9, 0.1]], [1], False),
    ],
)
def test_scores_that_put_every_row_on_its_side(scores, targets, weights, expected):
    found = separates(np.array(scores), np.array(targets), np.array(weights, dtype=float))
    assert found is expected
