"""Tests of pairwise classifier."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from gramian import LinearSVC, LogisticRegression, PairwiseClassifier
from gramian.base.errors import DataError
from gramian.linear_model import separability


def iris():
    return load_iris(return_X_y=True)


def test_pairs_separate_what_one_plane_cannot():
    """Three classes on a line: the middle one is separable from each, not from both."""
    X = np.r_[np.linspace(0, 1, 9), np.linspace(2, 3, 9), np.linspace(4, 5, 9)][:, None]
    y = np.repeat(["left", "middle", "right"], 9)
    assert not separability(X, np.where(y == "middle", 1, -1)).separable
    classifier = LinearSVC(C=1000, intercept_scaling=10, max_iter=1_000_000)
    model = PairwiseClassifier(classifier, rule="all", reject_label="none").fit(X, y)
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
