import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import (
    coverage_error,
    hamming_loss,
    label_ranking_average_precision_score,
    label_ranking_loss,
)
from sklearn.model_selection import KFold

from gramian import MLkNN
from gramian.metrics import one_error
from gramian.multilabel.ml_knn import count_by_neighbors, smooth
from tests.multilabel.mulan_sets import load


def test_worked_numbers():
    """T48: s = 1, 3 of 5 rows: prior 4/7; c = (0, 1, 2), K = 2: P(E_2 | H_1) = 1/2."""
    X, Y = [[0.0], [1.0], [2.0], [8.0], [9.0]], [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    assert MLkNN(2).fit(X, Y).priors_[0] == pytest.approx(4 / 7)
    likelihoods = smooth(np.array([0.0, 1.0, 2.0]), 1.0)
    assert likelihoods[2] == 0.5
    assert likelihoods.sum() == pytest.approx(1)
    half = smooth(np.array([0.0, 1.0, 2.0]), 0.5)
    assert half.sum() == pytest.approx(1)
    assert half[2] == pytest.approx(2.5 / 4.5)
    assert sum(0.5 + c for c in (0, 1, 2)) / (0.5 * 2 + 1 + 3) == 0.9  # the printed s K + 1


@given(st.integers(0, 2**32 - 1), st.floats(0.01, 5))
def test_the_likelihoods_are_distributions(seed, s):
    """E55: the denominator is s (K + 1) + sum c, for both hypotheses."""
    c = np.random.default_rng(seed).integers(0, 9, size=(3, 6)).astype(float)
    np.testing.assert_allclose(smooth(c, s).sum(axis=1), 1)


@pytest.mark.slow
@pytest.mark.parametrize("s", [1.0, 0.3])
def test_it_equals_a_direct_implementation(s):
    X, Y = make_multilabel_classification(60, 5, n_classes=3, random_state=1)
    X, k = X.astype(float), 4
    new = X[:20] + 0.3
    model = MLkNN(k, s=s).fit(X, Y)

    def near(q, left_out=None):
        squares = ((X - q) ** 2).sum(axis=1)
        if left_out is not None:
            squares[left_out] = np.inf
        return np.argsort(squares, kind="stable")[:k]

    for label in range(3):
        prior = (s + Y[:, label].sum()) / (2 * s + 60)
        c = np.zeros((2, k + 1))
        for i in range(60):
            c[Y[i, label], Y[near(X[i], i), label].sum()] += 1
        likelihood = (s + c) / (s * (k + 1) + c.sum(axis=1, keepdims=True))
        for q, found in zip(new, model.predict_proba(new)[:, label], strict=True):
            j = Y[near(q), label].sum()
            on, off = prior * likelihood[1, j], (1 - prior) * likelihood[0, j]
            assert found == pytest.approx(on / (on + off))


def test_counts_are_summed_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    Y, counts = rng.random((50, 4)) < 0.4, rng.integers(0, 4, (50, 4))
    whole = count_by_neighbors(counts, Y, 3)
    monkeypatch.setattr("gramian.multilabel.ml_knn._BLOCK", 12)
    for a, b in zip(whole, count_by_neighbors(counts, Y, 3), strict=True):
        np.testing.assert_array_equal(a, b)
    assert whole[1].sum() == 200
    assert whole[0].sum() == Y.sum()


@pytest.mark.slow
def test_published_figures_of_yeast(data_folder):
    """Zhang and Zhou 2007, table 3: ten folds, k = 10, s = 1; mean and deviation over folds."""
    A, B, A_test, B_test = load(data_folder, "yeast")
    X, Y = np.vstack([A, A_test]), np.vstack([B, B_test])
    found = []
    for train, test in KFold(10, shuffle=True, random_state=0).split(X):
        model = MLkNN().fit(X[train], Y[train])
        scores, truth = model.predict_proba(X[test]), Y[test]
        found.append(
            (
                hamming_loss(truth, model.predict(X[test])),
                one_error(truth, scores),
                coverage_error(truth, scores) - 1,  # counted from 0
                label_ranking_loss(truth, scores),
                label_ranking_average_precision_score(truth, scores),
            )
        )
    published = ((0.194, 0.010), (0.230, 0.030), (6.275, 0.240), (0.167, 0.016), (0.765, 0.021))
    for mean, (theirs, deviation) in zip(np.mean(found, axis=0), published, strict=True):
        assert mean == pytest.approx(theirs, abs=deviation / 2)
