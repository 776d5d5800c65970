"""Multi-label learners compared on folds, and over data sets."""

import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import accuracy_score, f1_score

from gramian import BinaryRelevance, BRkNN, LogisticRegression, MLkNN
from gramian.evaluate import IterativeStratifiedKFold, compare, compare_ranks


def made(seed):
    return make_multilabel_classification(120, 8, n_classes=4, random_state=seed)


LEARNERS = {"line": BinaryRelevance(LogisticRegression()), "ML-kNN": MLkNN(5), "BRkNN": BRkNN(5)}


def test_learners_are_compared_on_the_same_folds():
    X, Y = made(0)
    folds = list(IterativeStratifiedKFold(4, random_state=0).split(X, Y))
    found = compare(LEARNERS, X, Y, cv=folds, scoring="f1_micro")
    train, test = folds[0]
    model = MLkNN(5).fit(X[train], Y[train])
    row = list(found.names).index("ML-kNN")
    assert found.scores[row, 0] == f1_score(Y[test], model.predict(X[test]), average="micro")
    assert found.baseline in found.names


@pytest.mark.slow
def test_accuracy_matches_whole_sets():
    X, Y = made(1)
    folds = list(IterativeStratifiedKFold(3, random_state=0).split(X, Y))
    found = compare({"BRkNN": BRkNN(5)}, X, Y, cv=folds)
    train, test = folds[1]
    row = list(found.names).index("BRkNN")
    predicted = BRkNN(5).fit(X[train], Y[train]).predict(X[test])
    assert found.scores[row, 1] == accuracy_score(Y[test], predicted)


def test_learners_over_data_sets():
    """Friedman's test and the critical difference of the mean ranks."""
    table = []
    for seed in range(6):
        X, Y = made(seed)
        fitted = [learner.fit(X[:80], Y[:80]) for learner in LEARNERS.values()]
        table.append([f1_score(Y[80:], m.predict(X[80:]), average="micro") for m in fitted])
    found = compare_ranks(np.array(table), list(LEARNERS))
    assert found.names == tuple(LEARNERS)
    assert found.critical_difference > 0
    assert found.mean_ranks.sum() == 6
