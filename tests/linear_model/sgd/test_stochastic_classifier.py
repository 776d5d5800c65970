"""Partial fits of stochastic classifiers."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import gramian
from gramian import SGDClassifier, SGDRegressor
from gramian.base.errors import DataError
from gramian.linear_model.sgd.stochastic_classifier import accuracy_on
from tests.linear_model.sgd.sgd_data import rows


def test_partial_fit_continues_from_the_last_state():
    X, y = rows(100)
    settings = {"shuffle": False, "learning_rate": "constant", "eta0": 1e-3}  # the cost falls
    whole = SGDClassifier(max_iter=1, tol=None, **settings).fit(X, y)
    parts = SGDClassifier(**settings)
    for cut in (slice(0, 30), slice(30, 100)):
        parts.partial_fit(X[cut], y[cut], classes=[-1, 1])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9)
    assert parts.t_ == whole.t_ == 101
    line = SGDRegressor(shuffle=False).partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    once = SGDRegressor(shuffle=False, max_iter=1, tol=None).fit(X, y)
    np.testing.assert_allclose(line.coef_, once.coef_, rtol=1e-9)


def test_a_saved_model_can_continue(tmp_path):
    X, y = rows(100)
    model = SGDClassifier(random_state=0).partial_fit(X, y, classes=[-1, 1])
    gramian.save(model, tmp_path / "model.gram")
    again = gramian.load(tmp_path / "model.gram").partial_fit(X, y)
    assert again.score(X, y) > 0.8


def test_labels_and_classes_of_parts_are_checked():
    X, y = rows(20)
    model = SGDClassifier().partial_fit(X, y, classes=[-1, 1])
    with pytest.raises(DataError, match="do not exist in the initial classes"):
        model.partial_fit(X, np.where(y > 0, 5, -1))
    with pytest.raises(DataError, match=r"classes=\[0, 1\] differs from the classes of the first"):
        model.partial_fit(X, y, classes=[0, 1])


def test_accuracy_of_held_out_rows():
    X, y = rows(20)
    steps = SimpleNamespace(result=lambda: (np.array([1.0, 0.0, 0.0, 0.0]), 0.5))
    held = np.arange(5, 15)
    expected = np.mean((X[held, 0] + 0.5 > 0) == (y[held] > 0))
    assert accuracy_on(X, y)(steps, held) == expected
    assert accuracy_on(sp.csr_array(X), y)(steps, held) == expected


def test_several_classes_have_a_descent_each():
    X, y = rows(60)
    labels = np.where(X[:, 0] > 1, 2, y.astype(int))
    model = SGDClassifier(random_state=0).partial_fit(X, labels, classes=[-1, 1, 2])
    assert len(model.descents_) == len(model.coef_) == 3
    assert len(SGDClassifier().partial_fit(X, y, classes=[-1, 1]).descents_) == 1
