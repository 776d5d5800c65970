"""NearestCentroid, LinearProgramClassifier, PairwiseClassifier, margins of a hyperplane."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestCentroid as Peer

from gramian import (
    LinearProgramClassifier,
    LinearSVC,
    LogisticRegression,
    NearestCentroid,
    PairwiseClassifier,
    separability,
)
from gramian.base.errors import DataError, ParameterError
from gramian.linear import Hyperplane


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
    assert np.mean(ours.predict(table) == theirs.predict(X)) > 0.95


def test_medians_and_weights_and_priors():
    X, y = np.array([[0.0], [1.0], [8.0], [9.0], [10.0]]), np.array([0, 0, 0, 1, 1])
    assert NearestCentroid(metric="manhattan").fit(X, y).centroids_.ravel().tolist() == [1, 9.5]
    weighted = NearestCentroid().fit(X, y, sample_weight=[1, 1, 0, 1, 1])
    assert weighted.centroids_.ravel().tolist() == [0.5, 9.5]
    far = NearestCentroid(priors=[0.999999, 0.000001]).fit(X, y)
    assert far.predict([[6.5]])[0] == 0
    assert NearestCentroid().fit(X, y).predict([[6.5]])[0] == 1
    with pytest.raises(ParameterError, match="takes no sample_weight"):
        NearestCentroid(metric="manhattan").fit(X, y, sample_weight=np.ones(5))
    with pytest.raises(DataError, match="greater than one"):
        NearestCentroid().fit(X, np.zeros(5))
    with pytest.raises(ParameterError, match="one per class"):
        NearestCentroid(priors=[1.0]).fit(X, y)


@pytest.mark.parametrize("sparse", [False, True])
def test_no_slack_exactly_where_the_classes_are_separable(sparse):
    X, y = iris()
    table = sp.csr_array(X) if sparse else X
    first = LinearProgramClassifier(penalty=0).fit(table, y == 0)
    assert first.slack_[0] == pytest.approx(0, abs=1e-7)
    assert first.score(table, y == 0) == 1
    second = LinearProgramClassifier(penalty=0).fit(table, y == 1)
    verdict = separability(table, np.where(y == 1, 1, -1))
    assert not verdict.separable
    assert second.slack_[0] == pytest.approx(verdict.slack, rel=1e-6)


def test_a_penalty_picks_few_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 20))
    y = X[:, 3] > 0.2
    model = LinearProgramClassifier(penalty=3.0).fit(X, y)
    assert np.abs(model.coef_[0]).argmax() == 3
    assert (np.abs(model.coef_[0]) > 1e-6).sum() < 10


def test_pairs_part_what_one_plane_cannot():
    """Three classes on a line: the middle one is separable from each, not from both."""
    X = np.r_[np.linspace(0, 1, 9), np.linspace(2, 3, 9), np.linspace(4, 5, 9)][:, None]
    y = np.repeat(["left", "middle", "right"], 9)
    assert not separability(X, np.where(y == "middle", 1, -1)).separable
    machine = LinearSVC(C=1000, intercept_scaling=10, max_iter=1_000_000)
    model = PairwiseClassifier(machine, rule="all", refuse="none").fit(X, y)
    assert (model.predict(X) == y).all()
    assert model.pairs_.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert model.votes(X).sum(axis=1).tolist() == [3] * len(X)


def test_each_pair_sees_only_its_own_rows():
    X, y = iris()
    model = PairwiseClassifier(LogisticRegression(tol=1e-8)).fit(X, y)
    rows = y != 1
    alone = LogisticRegression(tol=1e-8).fit(X[rows], y[rows])
    np.testing.assert_allclose(model.estimators_[1].coef_, alone.coef_, rtol=1e-9)
    assert model.score(X, y) > 0.95
    with pytest.raises(DataError, match="at least 2 classes"):
        PairwiseClassifier().fit(X[:3], [1, 1, 1])


def test_margins_of_a_plane():
    H = Hyperplane([3.0, 4.0], -5.0)
    X, y = [[3.0, 4.0], [1.0, 1.0], [0.0, 0.0]], [1, 1, -1]
    np.testing.assert_allclose(H.margins(X, y), [4, 0.4, 1])
    assert H.margin(X, y) == pytest.approx(0.4)
    assert H.class_margins(X, y) == (pytest.approx(1), pytest.approx(0.4))
