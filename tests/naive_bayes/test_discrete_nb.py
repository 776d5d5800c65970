"""Naive Bayes on counts: smoothing, priors, batches, weights."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from gramian import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB, PoissonNB
from gramian.base.errors import DataError, ParameterError

ALL = [BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB, PoissonNB]
RNG = np.random.default_rng(0)
X = RNG.poisson(RNG.random(12) * 2, size=(120, 12)).astype(float)
Y = RNG.integers(3, size=120)
W = RNG.integers(1, 4, size=120)


def assert_same(a, b):
    assert_allclose(a.class_count_, b.class_count_)
    assert_allclose(a.predict_joint_log_proba(X), b.predict_joint_log_proba(X), rtol=1e-9)


@pytest.mark.parametrize("kind", ALL)
def test_weight_k_is_the_row_k_times(kind):
    assert_same(kind().fit(X, Y, W), kind().fit(np.repeat(X, W, axis=0), np.repeat(Y, W)))


@pytest.mark.parametrize("kind", ALL)
def test_partial_fit_in_batches_is_one_fit(kind):
    model = kind()
    for rows in np.split(np.arange(120), [7, 50, 51]):
        model.partial_fit(X[rows], Y[rows], [0, 1, 2], W[rows])
    assert_same(model, kind().fit(X, Y, W))


@pytest.mark.parametrize("kind", ALL)
def test_sparse_rows_give_the_same_model_as_dense_rows(kind):
    assert_same(kind().fit(sp.csr_array(X), Y, W), kind().fit(X, Y, W))
    dense = kind().fit(X, Y)
    joint = dense.predict_joint_log_proba(sp.csr_array(X))
    assert_allclose(joint, dense.predict_joint_log_proba(X), rtol=1e-9)


@pytest.mark.parametrize("kind", ALL)
def test_priors_are_proportions_equal_or_given(kind):
    counts = np.bincount(Y) / 120
    assert_allclose(kind().fit(X, Y).class_log_prior_, np.log(counts))
    assert_allclose(kind(fit_prior=False).fit(X, Y).class_log_prior_, np.log(1 / 3))
    fixed = kind(class_prior=[0.2, 0.3, 0.5]).fit(X, Y)
    assert_allclose(np.exp(fixed.class_log_prior_), [0.2, 0.3, 0.5])
    with pytest.raises(ParameterError, match="class_prior must be 3 numbers"):
        kind(class_prior=[0.5, 0.5]).fit(X, Y)


@pytest.mark.parametrize("kind", [CategoricalNB, ComplementNB, MultinomialNB, PoissonNB])
def test_negative_counts_are_refused(kind):
    with pytest.raises(DataError, match=r"Negative values in data passed to .*, row 0, column 1"):
        kind().fit([[1.0, -1.0], [1.0, 2.0]], [0, 1])


@pytest.mark.parametrize("kind", [BernoulliNB, ComplementNB, MultinomialNB, PoissonNB])
def test_alpha_may_differ_by_column_and_bad_ones_are_refused(kind):
    one, each = kind(alpha=0.5).fit(X, Y), kind(alpha=np.full(12, 0.5)).fit(X, Y)
    assert_same(one, each)
    with pytest.raises(ParameterError, match="alpha must be a number, or one number"):
        kind(alpha=[1.0, 2.0]).fit(X, Y)
    with pytest.raises(ParameterError, match="alpha must be finite numbers >= 0"):
        kind(alpha=np.full(12, -1.0)).fit(X, Y)


def test_force_alpha_false_keeps_a_pseudo_count():
    forced = MultinomialNB(alpha=0.0).fit([[1, 0], [0, 1]], [0, 1])
    assert np.isneginf(forced.feature_log_prob_[0, 1])
    with pytest.warns(UserWarning, match="alpha too small"):
        kept = MultinomialNB(alpha=0.0, force_alpha=False).fit([[1, 0], [0, 1]], [0, 1])
    assert np.isfinite(kept.feature_log_prob_).all()
