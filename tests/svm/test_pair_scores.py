"""Scores and votes of pairs of classes."""

import numpy as np

from gramian import SVC
from gramian.svm.pair_scores import pair_scores, winning_classes
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
