from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification

from gramian import CalibratedLabelRanking, DecisionTreeClassifier, LinearSVC, LogisticRegression

X, Y = make_multilabel_classification(120, 6, n_classes=4, random_state=0)
X = X.astype(float)


@pytest.mark.parametrize(
    "learner", [LogisticRegression(), DecisionTreeClassifier(max_depth=3), LinearSVC()], ids=str
)
def test_it_equals_directly_counted_votes(learner):
    model = CalibratedLabelRanking(learner).fit(X, Y)
    votes = np.zeros((len(X), 5))  # the last one is the virtual label
    for label in range(4):
        on = clone(learner).fit(X, Y[:, label]).predict(X) == 1
        votes[:, label] += on
        votes[:, 4] += ~on
    for i, j in combinations(range(4), 2):
        rows = Y[:, i] != Y[:, j]
        second = clone(learner).fit(X[rows], Y[rows, j]).predict(X) == 1
        votes[:, j] += second
        votes[:, i] += ~second
    np.testing.assert_allclose(model.decision_function(X), (votes[:, :4] - votes[:, 4:]) / 4)
    np.testing.assert_array_equal(model.predict(X), (votes[:, :4] > votes[:, 4:]).astype(int))


def test_labels_that_no_row_distinguishes_have_no_pair():
    same = np.column_stack([Y[:, 0], Y[:, 0], Y[:, 1]])
    model = CalibratedLabelRanking(LogisticRegression()).fit(X, same)
    assert model.pairs_.tolist() == [[0, 2], [1, 2]]
    np.testing.assert_array_equal(model.predict(X)[:, 0], model.predict(X)[:, 1])
