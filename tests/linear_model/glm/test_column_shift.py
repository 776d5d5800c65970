"""Columns far from 0."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from gramian import LogisticRegression, LogisticRegressionCV, SigmoidDiscriminant
from gramian.linear_model.glm.column_shift import ColumnShift

FAR = 2.0**24  # so far that every case below fails if the columns are not moved


def rows_and_classes(n_classes, n=150, d=4):
    """Return rows whose sums with FAR are not rounded, and classes that depend on them."""
    rng = np.random.default_rng(0)
    Z = np.round(rng.normal(size=(n, d)) * 2**20) / 2**20
    scores = Z[:, :n_classes] + 0.7 * rng.normal(size=(n, n_classes))
    return Z, np.argmax(scores, axis=1)


@pytest.mark.parametrize("C", [1.0, 1e4])
@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_minimum_does_not_depend_on_the_origin(C, solver, n_classes):
    """Without the move the bias stays near 0 and probabilities are wrong by up to 0.7."""
    Z, y = rows_and_classes(n_classes)
    model = LogisticRegression(solver=solver, tol=1e-8, max_iter=1000, C=C)
    near, far = clone(model).fit(Z, y), clone(model).fit(Z + FAR, y)
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-10)
    assert_allclose(far.predict_proba(Z + FAR), near.predict_proba(Z), atol=1e-6)


@pytest.mark.parametrize("kind", ["multinomial", "ovr", "reference"])
def test_every_kind_of_scores_and_a_warm_start(kind):
    Z, y = rows_and_classes(3)
    model = LogisticRegression(tol=1e-8, multi_class=kind, warm_start=True)
    near, far = clone(model).fit(Z, y), clone(model).fit(Z + FAR, y)
    assert_allclose(far.predict_proba(Z + FAR), near.predict_proba(Z), atol=1e-7)
    again = far.coef_.copy()
    assert far.fit(Z + FAR, y).n_iter_.max() <= (1 if kind != "reference" else 20)
    assert_allclose(far.coef_, again, atol=1e-7)


def test_wide_tables():
    Z, y = rows_and_classes(2, n=40, d=90)
    near, far = (LogisticRegression(tol=1e-8).fit(X, y) for X in (Z, Z + FAR))
    assert_allclose(far.predict_proba(Z + FAR), near.predict_proba(Z), atol=1e-6)


def test_chosen_penalties():
    Z, y = rows_and_classes(2)
    near, far = (LogisticRegressionCV(Cs=[0.1, 1], tol=1e-8).fit(X, y) for X in (Z, Z + FAR))
    assert far.C_ == near.C_
    assert_allclose(far.predict_proba(Z + FAR), near.predict_proba(Z), atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_chunks_and_a_warm_start(n_classes):
    Z, y = rows_and_classes(n_classes)
    model = LogisticRegression(tol=1e-8, warm_start=True)
    near, far = clone(model).fit(Z, y), clone(model)
    chunks = [(Z[:70] + FAR, y[:70]), (Z[70:] + FAR, y[70:])]
    far.fit_chunks(chunks)
    assert_allclose(far.predict_proba(Z + FAR), near.predict_proba(Z), atol=1e-7)
    assert far.fit_chunks(chunks).n_iter_.max() <= 1
    assert_allclose(far.predict_proba(Z + FAR), near.predict_proba(Z), atol=1e-7)


@pytest.mark.parametrize(
    ("model", "n_classes"),
    [
        (LogisticRegression(l1_ratio=0.5, tol=1e-7, max_iter=300), 3),
        (SigmoidDiscriminant(tol=1e-7), 2),
        (SigmoidDiscriminant(tol=1e-7), 3),
    ],
    ids=["l1-3", "sigmoid-2", "sigmoid-3"],
)
def test_sparse_softmax_and_least_squares_of_probabilities(model, n_classes):
    Z, y = rows_and_classes(n_classes)
    near, far = clone(model).fit(Z, y), clone(model).fit(Z + FAR, y)
    assert_allclose(far.predict_proba(Z + FAR), near.predict_proba(Z), atol=1e-4)


def test_a_warm_start_of_a_sparse_softmax():
    Z, y = rows_and_classes(3)
    model = LogisticRegression(l1_ratio=0.5, tol=1e-7, max_iter=300, warm_start=True)
    first = model.fit(Z + FAR, y).n_iter_.max()
    assert model.fit(Z + FAR, y).n_iter_.max() < first / 2


def test_other_columns_are_not_moved():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=50), rng.normal(5, 1, 50), np.full(50, 1e6)])
    ones, far = np.ones(50), X + 1e6
    assert ColumnShift.of(X, ones) == ColumnShift()
    assert ColumnShift.of(sp.csr_array(far), ones) == ColumnShift()
    assert ColumnShift.of(far, ones, intercept=False) == ColumnShift()
    assert ColumnShift.of(far, 0 * ones) == ColumnShift()
    assert ColumnShift.of(X * 1e200, ones) == ColumnShift()
    assert_array_equal(ColumnShift.of(far, ones).offsets > 0, [True, True, False])
    weights = np.r_[np.zeros(1), np.ones(49)]
    X[0] = 1e300  # a row without weight has no effect
    assert ColumnShift.of(X, weights) == ColumnShift()


def test_moves_can_be_undone():
    w, shift = np.arange(8.0).reshape(4, 2), ColumnShift(np.array([1.0, 10.0, 100.0]))
    there = shift.start(w.reshape(-1), w.shape)
    assert_array_equal(there[-2:], [6 + 20 + 400, 7 + 1 + 30 + 500])
    assert_array_equal(shift.weights(there.reshape(w.shape)), w)
    assert_array_equal(shift.rows(np.full((1, 3), 100.0)), [[99, 90, 0]])
    assert shift.start(None, w.shape) is None


def test_nothing_is_copied_if_no_column_is_far():
    X, w, none = np.ones((2, 1)), np.ones(2), ColumnShift()
    assert none.rows(X) is X
    assert none.start(w, w.shape) is w
    assert none.weights(w) is w
