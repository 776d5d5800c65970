"""Columns far from 0."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from gramian import LogisticRegression, LogisticRegressionCV, SigmoidDiscriminant
from gramian.linear_model.glm.column_shift import column_shift, moved_bias


def rows_and_classes(n_classes, n=150, d=4):
    """Return rows whose sums with 2^14 are not rounded, and classes that depend on them."""
    rng = np.random.default_rng(0)
    Z = np.round(rng.normal(size=(n, d)) * 2**20) / 2**20
    scores = Z[:, :n_classes] + 0.7 * rng.normal(size=(n, n_classes))
    return Z, np.argmax(scores, axis=1)


@pytest.mark.parametrize("shift", [2.0**10, 2.0**14])
@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_minimum_does_not_depend_on_the_origin(shift, solver, n_classes):
    """Without the move the bias stays near 0 and probabilities are wrong by up to 0.18."""
    Z, y = rows_and_classes(n_classes)
    model = LogisticRegression(solver=solver, tol=1e-8, max_iter=1000)
    near, far = clone(model).fit(Z, y), clone(model).fit(Z + shift, y)
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-10)
    assert_allclose(far.predict_proba(Z + shift), near.predict_proba(Z), atol=1e-6)


@pytest.mark.parametrize("kind", ["multinomial", "ovr", "reference"])
def test_every_kind_of_scores_and_a_warm_start(kind):
    Z, y = rows_and_classes(3)
    model = LogisticRegression(tol=1e-8, multi_class=kind, warm_start=True)
    near, far = clone(model).fit(Z, y), clone(model).fit(Z + 2**14, y)
    assert_allclose(far.predict_proba(Z + 2**14), near.predict_proba(Z), atol=1e-7)
    again = far.coef_.copy()
    assert far.fit(Z + 2**14, y).n_iter_.max() <= (1 if kind != "reference" else 20)
    assert_allclose(far.coef_, again, atol=1e-7)


def test_wide_tables_and_chosen_penalties():
    Z, y = rows_and_classes(2, n=40, d=90)
    near, far = (LogisticRegression(tol=1e-8).fit(X, y) for X in (Z, Z + 2**14))
    assert_allclose(far.predict_proba(Z + 2**14), near.predict_proba(Z), atol=1e-6)
    Z, y = rows_and_classes(2)
    near, far = (LogisticRegressionCV(Cs=[0.1, 1], tol=1e-8).fit(X, y) for X in (Z, Z + 2**14))
    assert far.C_ == near.C_
    assert_allclose(far.predict_proba(Z + 2**14), near.predict_proba(Z), atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_chunks_sparse_softmax_and_least_squares_of_probabilities(n_classes):
    Z, y = rows_and_classes(n_classes)
    model = LogisticRegression(tol=1e-8)
    near, far = clone(model).fit(Z, y), clone(model)
    far.fit_chunks([(Z[:70] + 2**14, y[:70]), (Z[70:] + 2**14, y[70:])])
    assert_allclose(far.predict_proba(Z + 2**14), near.predict_proba(Z), atol=1e-7)
    for model in (
        LogisticRegression(l1_ratio=0.5, tol=1e-7, max_iter=300),
        SigmoidDiscriminant(tol=1e-7),
    ):
        near, far = clone(model).fit(Z, y), clone(model).fit(Z + 2**14, y)
        assert_allclose(far.predict_proba(Z + 2**14), near.predict_proba(Z), atol=1e-4)


def test_other_columns_are_not_moved():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=50), rng.normal(5, 1, 50), np.full(50, 1e6)])
    assert column_shift(X, np.ones(50)) is None
    assert column_shift(sp.csr_array(X + 1e6), np.ones(50)) is None
    assert column_shift(X * 1e200, np.ones(50)) is None
    weights = np.r_[np.zeros(1), np.ones(49)]
    X[0] = 1e300  # a row without weight has no effect
    assert column_shift(X, weights) is None


def test_moves_can_be_undone():
    w, shift = np.arange(8.0).reshape(4, 2), np.array([1.0, 10.0, 100.0])
    there = moved_bias(w, shift, 1)
    assert_array_equal(there[-1], [6 + 20 + 400, 7 + 1 + 30 + 500])
    assert_array_equal(moved_bias(there, shift, -1), w)
