import numpy as np
import pytest

from gramian import (
    KNeighborsClassifier,
    LinearRegression,
    OneVsOneClassifier,
    OneVsRestClassifier,
)
from gramian.base.errors import DataError
from gramian.multiclass.pair_votes import count_votes, second_class_score, votes_and_scores

PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def test_votes_are_wins_and_the_fraction_breaks_ties():
    scores = np.array([[1.0, 2.0, -1.0], [-1.0, 5.0, -0.1], [1.0, -1.0, 3.0]])
    votes = count_votes(scores, PAIRS, 3)
    assert votes.tolist() == [[0, 2, 1], [1, 1, 1], [1, 1, 1]]
    whole = votes_and_scores(scores, PAIRS, 3)
    assert (np.abs(whole - votes) < 1 / 3).all()
    assert whole.argmax(axis=1).tolist() == [1, 2, 2]


def test_probabilities_are_scores_about_a_half():
    model = KNeighborsClassifier(1).fit([[0.0], [1.0]], [0, 1])
    assert second_class_score(model, [[0.1], [0.9]]).tolist() == [-0.5, 0.5]


def test_an_estimator_without_scores_is_refused_before_it_is_fitted():
    for kind in (OneVsOneClassifier, OneVsRestClassifier):
        with pytest.raises(DataError, match="must have decision_function or predict_proba"):
            kind(LinearRegression()).fit([[0.0], [1.0], [2.0]], [0, 1, 2])
