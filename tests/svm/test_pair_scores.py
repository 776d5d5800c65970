"""Scores and votes of pairs of classes."""

from itertools import combinations

import numpy as np
import pytest

from gramian import SVC
from gramian.svm.pair_scores import pair_scores, pair_votes, winning_classes
from tests.svm.kernel_machine_data import noisy_rings


def test_votes_and_scores_of_a_matrix_match_the_core():
    X, y = noisy_rings(90)
    y = y + (X[:, 0] > 0.5)
    model = SVC(gamma=0.5, decision_function_shape="ovo").fit(X, y)
    K = np.exp(-0.5 * ((X[:, None] - model.support_vectors_[None]) ** 2).sum(axis=2))
    starts = np.concatenate([[0], np.cumsum(model.n_support_)])
    scores = pair_scores(K, starts, model.dual_coef_, model.intercept_)
    np.testing.assert_allclose(scores, model.decision_function(X), atol=1e-6)
    np.testing.assert_array_equal(model.classes_[winning_classes(scores, 3)], model.predict(X))


def random_machines(n_classes, rows):
    """Return kernel values, starts, coefficients and intercepts; a class may have no vector."""
    rng = np.random.default_rng(n_classes)
    sizes = rng.integers(0, 6, n_classes)
    sizes[-1] = 0
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    K, coef = rng.normal(size=(rows, starts[-1])), rng.normal(size=(n_classes - 1, starts[-1]))
    return K, starts, coef, rng.normal(size=n_classes * (n_classes - 1) // 2)


# 2 to 16 classes by NumPy, 17 and more in the core
@pytest.mark.parametrize("rows", [0, 1, 7, 300])
@pytest.mark.parametrize("n_classes", [2, 3, 16, 17, 18, 40])
def test_pairs_of_few_and_many_classes_match_plain_numpy(n_classes, rows):
    K, starts, coef, intercept = random_machines(n_classes, rows)
    expected = np.empty((rows, len(intercept)))
    votes = np.zeros((rows, n_classes), dtype=int)
    for p, (i, j) in enumerate(combinations(range(n_classes), 2)):
        a, b = slice(*starts[i : i + 2]), slice(*starts[j : j + 2])
        expected[:, p] = K[:, a] @ coef[j - 1, a] + K[:, b] @ coef[i, b] + intercept[p]
        votes[:, i] += expected[:, p] > 0
        votes[:, j] += expected[:, p] <= 0
    found = pair_scores(K, starts, coef, intercept)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    winners = pair_votes(K, starts, coef, intercept)
    np.testing.assert_array_equal(winners, votes.argmax(axis=1))
    np.testing.assert_array_equal(winning_classes(found, n_classes), winners)


@pytest.mark.parametrize("n_classes", [3, 17])
def test_a_score_of_zero_is_a_vote_for_the_later_class_and_ties_go_to_the_first(n_classes):
    _, starts, coef, intercept = random_machines(n_classes, 1)
    K = np.zeros((2, starts[-1]))
    assert pair_votes(K, starts, coef, 0 * intercept).tolist() == [n_classes - 1] * 2
    cycle = np.ones(len(intercept))  # every class beats the later ones, but the last beats class 0
    cycle[n_classes - 2] = -1
    assert pair_votes(K, starts, coef, cycle).tolist() == [0] * 2
