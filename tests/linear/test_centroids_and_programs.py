"""NearestCentroid, LinearProgramClassifier, PairwiseClassifier, margins of a hyperplane."""

import tracemalloc

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
    np.testing.assert_allclose(ours.within_class_std_dev_, theirs.within_class_std_dev_)
    assert (ours.predict(table) == theirs.predict(X)).all()


@pytest.mark.parametrize("change", [lambda X: X + 1e8, lambda X: X * 1e-12, lambda X: X * 1e150])
def test_centroids_do_not_mind_where_zero_is_and_what_the_unit(change):
    X, y = iris()
    plain = NearestCentroid().fit(X, y).predict(X)
    assert (NearestCentroid().fit(change(X), y).predict(change(X)) == plain).all()


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


def test_a_weight_of_slack_counts_as_rows_repeated():
    X, y = iris()
    y = y == 1
    counts = np.random.default_rng(0).integers(0, 4, size=len(y))
    weighted = LinearProgramClassifier().fit(X, y, sample_weight=counts)
    repeated = LinearProgramClassifier().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.slack_, repeated.slack_, rtol=1e-7)
    with pytest.raises(DataError, match="at least 2 classes"):
        LinearProgramClassifier().fit(X, y, sample_weight=y.astype(float))


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1.0, 1e15, np.array([1e-9, 1.0, 1e9, 1e3])])
def test_separability_does_not_depend_on_the_columns_units(unit):
    X, y = iris()
    first = separability(X * unit, y == 0)
    assert first.separable
    assert (np.where(y == 0, 1, -1) * (X * unit @ first.w + first.b) > 0).all()
    second = separability(X * unit, np.where(y == 1, "yes", "no"))
    assert not second.separable
    assert second.slack == pytest.approx(separability(X, y == 1).slack, rel=1e-6)


@pytest.mark.parametrize("unit", [1e-10, 1e150])
def test_programs_do_not_mind_the_unit(unit):
    X, y = iris()
    plain = LinearProgramClassifier(penalty=0).fit(X, y)
    scaled = LinearProgramClassifier(penalty=0).fit(X * unit, y)
    np.testing.assert_allclose(scaled.slack_, plain.slack_, atol=1e-6)
    assert (scaled.predict(X * unit) == plain.predict(X)).all()


def test_what_separability_cannot_be_asked():
    with pytest.raises(DataError, match="3 labels for 3 rows"):
        separability([[0.0], [1.0], [2.0]], [0, 1, 2])
    with pytest.raises(DataError, match="NaN or infinity"):
        separability([[0.0], [np.nan]], [0, 1])
    assert separability([[0.0], [1.0]], [1, 1]).separable


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
