"""Perceptrons: the mistake bound, the options of the textbooks, votes."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from gramian import Perceptron
from gramian.base.errors import DataError, ParameterError
from gramian.textbook.linear_classifiers import mistake_bound
from tests.linear_model.perceptron.separable_rows import separable


def textbook(X, y, *, order, w, b, eta=1.0, epochs=1, wrong=lambda m: m <= 0):
    """The loop of the book."""
    mistakes = 0
    for _ in range(epochs):
        for i in order:
            if wrong(y[i] * (X[i] @ w + b)):
                w, b, mistakes = w + eta * y[i] * X[i], b + eta * y[i], mistakes + 1
    return w, b, mistakes


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_no_more_mistakes_than_the_bound(seed, shuffle):
    """Novikoff 1962: at most (R / gamma)^2 mistakes, whatever the order."""
    X, y = separable(seed)
    if len(np.unique(y)) < 2:
        return
    model = Perceptron(shuffle=shuffle, tol=None, max_iter=100_000, random_state=seed).fit(X, y)
    assert model.converged_
    assert model.score(X, y) == 1
    assert 1 <= model.mistakes_[0] <= mistake_bound(X, y).bound


def test_the_bound_matches_the_widest_margin():
    X, y = separable(1)
    found = mistake_bound(X, y)
    rows = np.column_stack([X, np.ones(len(X))])
    assert found.radius == pytest.approx(np.linalg.norm(rows, axis=1).max())
    rng = np.random.default_rng(0)
    W = rng.normal(size=(20_000, 4))
    tried = (W @ (rows * y[:, None]).T).min(axis=1) / np.linalg.norm(W, axis=1)
    assert tried.max() <= found.margin + 1e-9
    assert found.margin > 0


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("init", ["zeros", "ones", "row"])
def test_it_equals_the_textbook_loop(init, strict, sparse):
    X, y = separable(3)
    start = {"zeros": 0 * X[0], "ones": 0 * X[0] + 1, "row": y[0] * X[0]}[init]
    bias = {"zeros": 0.0, "ones": 1.0, "row": float(y[0])}[init]
    wrong = (lambda m: m < 0) if strict else (lambda m: m <= 0)
    order = range(len(X))
    w, b, mistakes = textbook(X, y, order=order, w=start, b=bias, eta=0.5, epochs=3, wrong=wrong)
    table = sp.csr_array(X) if sparse else X
    model = Perceptron(
        shuffle=False, init=init, strict=strict, eta0=0.5, max_iter=3, tol=None, average=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(table, y)
    np.testing.assert_allclose(model.coef_[0], w, rtol=1e-12)
    assert model.intercept_[0] == pytest.approx(b)
    assert model.mistakes_[0] == mistakes


def test_a_strict_condition_never_leaves_zero():
    """Rows on the boundary must count as mistakes, or w = 0 never moves."""
    X, y = separable(0)
    still = Perceptron(strict=True, tol=None).fit(X, y)
    assert not still.coef_.any()
    assert still.mistakes_[0] == 0


def test_the_step_only_scales_the_weights_from_zero():
    X, y = separable(4)
    one, two = (Perceptron(eta0=eta, tol=None, shuffle=False).fit(X, y) for eta in (1.0, 8.0))
    np.testing.assert_allclose(two.coef_, 8 * one.coef_)
    assert one.mistakes_[0] == two.mistakes_[0]


def test_batch_steps_descend_the_risk():
    X, y = separable(5)
    step = Perceptron(method="batch", max_iter=1, init="ones", eta0=0.1)
    with pytest.warns(ConvergenceWarning, match="may not be separable"):
        step.fit(X, y)
    wrong = y * (X.sum(axis=1) + 1) <= 0
    np.testing.assert_allclose(step.coef_[0], 1 + 0.1 * (y * wrong) @ X)
    assert Perceptron(method="batch", max_iter=10_000).fit(X, y).score(X, y) == 1
    for name, value in (("penalty", "l2"), ("average", True), ("early_stopping", True)):
        with pytest.raises(ParameterError, match=f"{name}=.* needs method='online'"):
            Perceptron(method="batch", **{name: value}).fit(X, y)


def test_the_average_matches_all_visits():
    X, y = separable(6)
    w, b, total, total_b = np.zeros(3), 0.0, np.zeros(3), 0.0
    for _ in range(2):
        for i in range(len(X)):
            w, b, _ = textbook(X, y, order=[i], w=w, b=b)
            total, total_b = total + w, total_b + b
    model = Perceptron(average=True, shuffle=False, max_iter=2, tol=None).fit(X, y)
    np.testing.assert_allclose(model.coef_[0], total / (2 * len(X)), rtol=1e-10)
    assert model.intercept_[0] == pytest.approx(total_b / (2 * len(X)))


def test_rows_that_come_one_by_one_give_the_same_as_one_epoch():
    X, y = separable(7)
    online = Perceptron()
    for row, label in zip(X, y, strict=True):
        online.partial_fit([row], [label], classes=[-1, 1])
    w, b, mistakes = textbook(X, y, order=range(len(X)), w=np.zeros(3), b=0.0)
    np.testing.assert_allclose(np.append(online.coef_, online.intercept_), np.append(w, b))
    assert online.mistakes_[0] == mistakes
    with pytest.raises(DataError, match="classes must be passed"):
        Perceptron().partial_fit(X, y)
    with pytest.raises(DataError, match="do not exist in the initial classes"):
        online.partial_fit(X[:1], [7])


def test_parts_keep_the_average_and_the_weights_of_classes():
    X, y = separable(6)
    common = {"shuffle": False, "average": True, "class_weight": {1: 3.0}}
    whole = Perceptron(max_iter=1, tol=None, **common).fit(X, y)
    parts = Perceptron(**common)
    for cut in (slice(0, 7), slice(7, None)):
        parts.partial_fit(X[cut], y[cut], classes=[-1, 1])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-12)
    np.testing.assert_allclose(parts.intercept_, whole.intercept_, rtol=1e-12)
    plain = Perceptron(max_iter=1, tol=None, shuffle=False, average=True).fit(X, y)
    assert not np.allclose(whole.coef_, plain.coef_)
    with pytest.raises(DataError, match="balanced"):
        Perceptron(class_weight="balanced").partial_fit(X, y, classes=[-1, 1])
    with pytest.raises(DataError, match="differs from the classes of the first call"):
        parts.partial_fit(X, y, classes=[-1, 0, 1])


def test_a_threshold_unit_answers_with_either_pair_of_labels():
    """The step 1[f > 0] for labels 0 and 1, the sign of f for -1 and 1: one unit."""
    X, y = separable(2)
    sign = Perceptron(tol=None).fit(X, y)
    step = Perceptron(tol=None).fit(X, (y + 1) // 2)
    f = sign.decision_function(X)
    np.testing.assert_array_equal(step.decision_function(X), f)
    np.testing.assert_array_equal(sign.predict(X), np.sign(f))
    np.testing.assert_array_equal(step.predict(X), np.heaviside(f, 0))


def test_rows_that_nothing_separates_give_a_warning():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1, -1, 1])
    with pytest.warns(ConvergenceWarning, match="may not be separable"):
        Perceptron(tol=None, max_iter=50).fit(X, y)
    with pytest.raises(DataError, match="mistake_bound: no hyperplane separates the classes"):
        mistake_bound(X, y)


def test_coef_init_is_the_start():
    X, y = np.array([[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0]]), [1, 1, -1]
    model = Perceptron(shuffle=False).fit(X, y, coef_init=[[5.0, 5.0]], intercept_init=[0.5])
    assert model.coef_.tolist() == [[5.0, 5.0]]  # no mistake, no update
    assert model.t_ == 1 + 3 * model.n_iter_
    with pytest.raises(DataError, match="coef_init must have the shape"):
        Perceptron().fit(X, y, coef_init=np.ones((2, 2)))


def test_a_part_does_not_change_the_counts_of_the_model_before():
    X, y = separable(7)
    model = Perceptron().partial_fit(X, y, classes=[-1, 1])
    before, count = model.mistakes_, model.mistakes_.copy()
    model.partial_fit(X, -y)
    assert model.mistakes_[0] > count[0]
    np.testing.assert_array_equal(before, count)
