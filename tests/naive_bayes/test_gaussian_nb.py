"""Gaussian naive Bayes."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB as Peer

from gramian import GaussianNB, NearestCentroid
from gramian.base.errors import DataError, ParameterError
from tests.naive_bayes.real import table

IRIS = load_iris(return_X_y=True)


def test_scores_are_log_prior_plus_log_densities():
    X, y = IRIS
    model = GaussianNB().fit(X, y)
    each = norm.logpdf(X[:, None], model.theta_, np.sqrt(model.var_)).sum(axis=2)
    joint = each + np.log(model.class_prior_)
    assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-10)
    assert_array_equal(model.predict(X), joint.argmax(axis=1))
    p = np.exp(joint - joint.max(axis=1, keepdims=True))
    assert_allclose(model.predict_proba(X), p / p.sum(axis=1, keepdims=True), atol=1e-12)


@pytest.mark.parametrize("name", ["letterrecognition", "shuttle"])
def test_agrees_with_scikit_learn_on_real_data(name, data_folder):
    X, y = table(data_folder, name)
    ours, theirs = GaussianNB().fit(X, y), Peer().fit(X, y)
    assert_allclose(ours.theta_, theirs.theta_, rtol=1e-10, atol=1e-10)
    assert_allclose(ours.var_, theirs.var_, rtol=1e-8)
    assert ours.epsilon_ == pytest.approx(theirs.epsilon_, rel=1e-10)
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.9999
    assert_allclose(ours.predict_proba(X[:500]), theirs.predict_proba(X[:500]), atol=1e-6)


@given(seed=st.integers(0, 1000))
def test_equal_priors_and_one_variance_are_the_nearest_centroid(seed):
    """Equal isotropic Gaussian classes: the Bayes rule is the nearest mean."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(3, 2)) * 3
    X, y = (centres[:, None] + [[1, 1], [1, -1], [-1, 1], [-1, -1]]).reshape(-1, 2), np.arange(12)
    y = y // 4
    model = GaussianNB(priors=[1 / 3] * 3).fit(X, y)
    assert_allclose(model.var_, 1 + model.epsilon_)
    queries = rng.normal(size=(50, 2)) * 4
    assert_array_equal(model.predict(queries), NearestCentroid().fit(X, y).predict(queries))


@given(cuts=st.lists(st.integers(1, 149), max_size=4), weighted=st.booleans())
def test_partial_fit_in_any_batches_is_one_fit(cuts, weighted):
    X, y = IRIS
    w = np.arange(150) % 4 + 0.5 if weighted else None
    order = np.random.default_rng(0).permutation(150)
    model = GaussianNB()
    for rows in np.split(order, sorted(set(cuts))):
        model.partial_fit(X[rows], y[rows], [0, 1, 2], None if w is None else w[rows])
    whole = GaussianNB().fit(X, y, w)
    for name in ("theta_", "var_", "class_prior_", "class_count_", "epsilon_"):
        assert_allclose(getattr(model, name), getattr(whole, name), rtol=1e-9, err_msg=name)


def test_means_far_from_zero_lose_no_digits():
    X, y = IRIS
    plain, far = GaussianNB().fit(X, y), GaussianNB().fit(X + 1e7, y)
    assert_allclose(far.var_, plain.var_, rtol=1e-6)
    assert_array_equal(far.predict(X + 1e7), plain.predict(X))


def test_sparse_rows_are_not_made_dense():
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 30)) < 0.8, 0, rng.normal(size=(200, 30)))
    y = np.arange(200) % 3
    dense, sparse = GaussianNB(var_smoothing=0.1).fit(X, y), GaussianNB(var_smoothing=0.1)
    sparse.fit(sp.csr_array(X), y)
    assert_allclose(
        sparse.predict_joint_log_proba(sp.csr_array(X)), dense.predict_joint_log_proba(X)
    )


def test_a_constant_column_and_a_class_of_one_row_work():
    X, y = [[1.0, 5.0], [2.0, 5.0], [9.0, 5.0]], ["a", "a", "b"]
    model = GaussianNB().fit(X, y)
    assert model.predict(X).tolist() == y
    assert np.isfinite(model.predict_joint_log_proba(X)).all()
    alike = GaussianNB().fit([[5.0], [5.0]], ["a", "b"])
    assert_allclose(alike.predict_proba([[5.0], [6.0]]), 0.5)


def test_bad_input_is_refused():
    X, y = IRIS
    with pytest.raises(ParameterError, match="match the number of classes"):
        GaussianNB(priors=[0.5, 0.5]).fit(X, y)
    with pytest.raises(ParameterError, match="sum to 1"):
        GaussianNB(priors=[0.5, 0.5, 0.5]).fit(X, y)
    with pytest.raises(DataError, match="first call"):
        GaussianNB().partial_fit(X, y)
    with pytest.raises(DataError, match="do not exist in the initial classes"):
        GaussianNB().partial_fit(X, y, [0, 1])
    with pytest.raises(DataError, match="GaussianNB: X must contain numbers of size"):
        GaussianNB().fit(X * 1e200, y)
