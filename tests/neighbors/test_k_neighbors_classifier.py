"""Votes of the k nearest neighbours, against scikit-learn."""

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.random_projection import GaussianRandomProjection

from gramian.neighbors import KNeighborsClassifier

WEIGHTS = pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])


@WEIGHTS
def test_votes_equal_scikit_learns(weights, table):
    X, y, _, Q = table
    ours, peer = (
        model(n_neighbors=7, weights=weights).fit(X, y)
        for model in (KNeighborsClassifier, theirs.KNeighborsClassifier)
    )
    assert_array_equal(ours.predict(Q), peer.predict(Q))
    assert_allclose(ours.predict_proba(Q), peer.predict_proba(Q))


@WEIGHTS
def test_a_row_without_itself_is_leave_one_out(weights, table):
    X, y, _, _ = table
    model = KNeighborsClassifier(n_neighbors=5, weights=weights).fit(X, y)
    peer = theirs.KNeighborsClassifier(n_neighbors=5, weights=weights).fit(X, y)
    assert_array_equal(model.predict(None), peer.predict(None))
    assert_allclose(model.predict_proba(None), peer.predict_proba(None))
    distances, indices = model.kneighbors()
    assert (indices != np.arange(len(X))[:, None]).all()
    assert_allclose(distances, peer.kneighbors()[0])


def test_several_outputs(table):
    X, y, _, Q = table
    labels = np.column_stack([y, y[::-1] + 5])
    ours, peer = (
        model().fit(X, labels) for model in (KNeighborsClassifier, theirs.KNeighborsClassifier)
    )
    assert_array_equal(ours.predict(Q), peer.predict(Q))
    for a, b in zip(ours.predict_proba(Q), peer.predict_proba(Q), strict=True):
        assert_allclose(a, b)


def test_equal_votes_go_to_the_first_class():
    model = KNeighborsClassifier(n_neighbors=2).fit([[0.0], [1.0]], ["b", "a"])
    assert model.predict([[0.1]]) == ["a"]


def test_weights_that_are_all_zero_are_refused(table):
    X, y, _, Q = table
    model = KNeighborsClassifier(weights=np.zeros_like).fit(X, y)
    with pytest.raises(ValueError, match=r"KNeighborsClassifier: .*zero weights"):
        model.predict(Q)


def test_neighbours_after_a_projection():
    """NN-27: reduce the dimension, then search; most of what the full search finds is kept."""
    X, y = load_digits(return_X_y=True)
    full = cross_val_score(KNeighborsClassifier(), X, y, cv=3).mean()
    for projection in (PCA(15), GaussianRandomProjection(30, random_state=0)):
        model = make_pipeline(projection, KNeighborsClassifier())
        assert cross_val_score(model, X, y, cv=3).mean() > full - 0.05
