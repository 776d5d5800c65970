"""Tests of nearest centroid."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestCentroid as Peer

from gramian import (
    NearestCentroid,
)
from gramian.base.errors import DataError, ParameterError


def iris():
    return load_iris(return_X_y=True)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 20))
def test_the_centroid_rule_gets_a_row_of_each_class_right(seed, n):
    """Where the means differ, at least one row of each class is right (not: all but one wrong)."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)), (rng.random(n) < 0.5).astype(int)
    y[:2] = [0, 1]
    model = NearestCentroid().fit(X, y)
    right = model.predict(X) == y
    assert right[y == 0].any()
    assert right[y == 1].any()
    difference = model.centroids_[1] - model.centroids_[0]
    f = model.decision_function(X)
    np.testing.assert_allclose(f, (X - model.centroids_.mean(axis=0)) @ difference, atol=1e-12)
    assert f[y == 1].mean() == pytest.approx(difference @ difference / 2)


@pytest.mark.parametrize("shrink", [None, 0.5])
@pytest.mark.parametrize("kind", ["dense", "csr"])
def test_centroids_agree_with_scikit_learn(shrink, kind):
    X, y = iris()
    table = X if kind == "dense" else sp.csr_array(X)
    ours = NearestCentroid(shrink_threshold=shrink).fit(table, y)
    theirs = Peer(shrink_threshold=shrink).fit(X, y)
    np.testing.assert_allclose(ours.centroids_, theirs.centroids_, rtol=1e-10)
    np.testing.assert_allclose(ours.within_class_std_dev_, theirs.within_class_std_dev_)
    assert (ours.predict(table) == theirs.predict(X)).all()


@pytest.mark.parametrize("change", [lambda X: X + 1e8, lambda X: X * 1e-12, lambda X: X * 1e150])
def test_centroids_do_not_depend_on_the_origin_and_the_unit(change):
    X, y = iris()
    plain = NearestCentroid().fit(X, y).predict(X)
    assert (NearestCentroid().fit(change(X), y).predict(change(X)) == plain).all()


@pytest.mark.slow
def test_wide_sparse_rows_stay_sparse():
    """30 million zeros would be 240 MB; the spread needs the entries alone."""
    rng = np.random.default_rng(0)
    X = sp.random(300, 100_000, density=1e-3, format="csr", random_state=0)
    y, weights = rng.integers(0, 2, size=300), rng.integers(0, 3, size=300)
    tracemalloc.start()
    model = NearestCentroid().fit(X, y, sample_weight=weights)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 40e6
    few = np.r_[:50, 99_000:99_050]
    rows = X[:, few].toarray()
    apart = rows - model.centroids_[y][:, few]
    spread = np.sqrt(weights @ apart**2 / (weights.sum() - 2))
    np.testing.assert_allclose(model.within_class_std_dev_[few], spread, rtol=1e-10)


def test_medians_and_weights_and_priors():
    X, y = np.array([[0.0], [1.0], [8.0], [9.0], [10.0]]), np.array([0, 0, 0, 1, 1])
    assert NearestCentroid(metric="manhattan").fit(X, y).centroids_.ravel().tolist() == [1, 9.5]
    weighted = NearestCentroid().fit(X, y, sample_weight=[1, 1, 0, 1, 1])
    assert weighted.centroids_.ravel().tolist() == [0.5, 9.5]
    far = NearestCentroid(priors=[0.999999, 0.000001]).fit(X, y)
    assert far.predict([[6.5]])[0] == 0
    assert NearestCentroid().fit(X, y).predict([[6.5]])[0] == 1
    with pytest.raises(ParameterError, match="does not support sample_weight"):
        NearestCentroid(metric="manhattan").fit(X, y, sample_weight=np.ones(5))
    with pytest.raises(DataError, match="greater than one"):
        NearestCentroid().fit(X, np.zeros(5))
    with pytest.raises(ParameterError, match="one per class"):
        NearestCentroid(priors=[1.0]).fit(X, y)
