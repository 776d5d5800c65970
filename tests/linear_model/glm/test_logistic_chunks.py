"""Logistic regression on rows in chunks."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from gramian import LogisticRegression
from gramian.base.errors import ParameterError
from gramian.linear_model.glm import logistic_chunks
from tests.linear_model.glm.logistic_data import INF, binary, several


@pytest.mark.parametrize("make", [binary, several])
def test_chunks_give_the_same_model_as_all_rows(make):
    X, y = make()
    weights = np.random.default_rng(0).random(len(y))
    whole = LogisticRegression(tol=1e-9, class_weight="balanced").fit(X, y, sample_weight=weights)
    for size in (37, 150):
        cuts = range(0, len(y), size)
        chunks = [(X[i : i + size], y[i : i + size], weights[i : i + size]) for i in cuts]
        model = LogisticRegression(tol=1e-9, class_weight="balanced").fit_chunks(chunks)
        np.testing.assert_allclose(model.coef_, whole.coef_, atol=1e-7)
        np.testing.assert_allclose(model.intercept_, whole.intercept_, atol=1e-7)
        np.testing.assert_allclose(model.class_prior_, whole.class_prior_)
        assert model.objective_ == pytest.approx(whole.objective_, rel=1e-9)


def test_chunks_that_cannot_be_read_twice_are_refused():
    X, y = binary()
    with pytest.raises(ValueError, match="a new pass each time"):
        LogisticRegression().fit_chunks(iter([(X, y)]))
    with pytest.raises(ValueError, match="chunks must contain at least one row"):
        LogisticRegression().fit_chunks([])
    with pytest.raises(ValueError, match="classes must contain every label"):
        LogisticRegression().fit_chunks([(X, y)], classes=[0, 5])
    with pytest.raises(ValueError, match="supports multi_class='multinomial'"):
        LogisticRegression(multi_class="ovr").fit_chunks([several()])


def test_chunks_of_separable_classes_give_a_warning():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array([0, 0, 1, 1])
    with pytest.warns(ConvergenceWarning, match="separable") as raised:
        model = LogisticRegression(C=INF).fit_chunks([(X[::2], y[::2]), (X[1::2], y[1::2])])
    assert model.separable_
    assert raised[0].filename == __file__
    X, y = binary()
    assert not LogisticRegression(C=INF).fit_chunks([(X[:90], y[:90]), (X[90:], y[90:])]).separable_


def test_chunks_use_the_requested_solver():
    X, y = binary()
    chunks = [(X[:90], y[:90]), (X[90:], y[90:])]
    assert LogisticRegression(solver="lbfgs").fit_chunks(chunks).solver_ == "LBFGS"
    with pytest.raises(ParameterError, match="solver='sgd'"):
        LogisticRegression(solver="sgd").fit_chunks(chunks)
    with pytest.warns(ConvergenceWarning, match="max_iter=1") as raised:
        LogisticRegression(max_iter=1, tol=1e-12).fit_chunks(chunks)
    assert raised[0].filename == __file__


@pytest.mark.parametrize("classes", [2, 3])
def test_many_rows_start_near_the_minimum(classes, rng, monkeypatch):
    monkeypatch.setattr(logistic_chunks, "BLOCK_ROWS", 500)
    monkeypatch.setattr(logistic_chunks, "_REFINE_FRACTION", 4)
    steps = []
    nearer = logistic_chunks._refine_start
    monkeypatch.setattr(
        logistic_chunks,
        "_refine_start",
        lambda *a: steps.append((a[3], nearer(*a))) or steps[-1][1],
    )
    X = rng.normal(size=(20_000, 3))
    y = np.argmax(X @ rng.normal(size=(3, classes)) + rng.normal(size=(20_000, classes)), axis=1)
    chunks = [(X[:10], y[:10]), (X[10:9000], y[10:9000]), (X[9000:], y[9000:])]
    found = LogisticRegression(tol=1e-9).fit_chunks(chunks)
    whole = LogisticRegression(tol=1e-9).fit(X, y)
    np.testing.assert_allclose(found.coef_, whole.coef_, atol=1e-7)
    ((before, after),) = steps
    target = np.r_[whole.coef_.T, whole.intercept_[None]]
    target = target.ravel() if classes == 2 else target
    assert np.linalg.norm(centred(after, classes) - target) < np.linalg.norm(
        centred(before, classes) - target
    )


def centred(x, classes):
    if classes == 2:
        return x
    w = x.reshape(-1, classes)
    return w - w.mean(axis=1, keepdims=True)
