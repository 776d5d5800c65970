import numpy as np
import pytest
from sklearn import multiclass
from sklearn.datasets import load_digits, load_iris

from gramian import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    OneVsOneClassifier,
    PairwiseClassifier,
)
from gramian.base.errors import DataError

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("learner", [LogisticRegression(tol=1e-10), DecisionTreeClassifier()])
def test_it_agrees_with_scikit_learn(learner):
    A, b = load_digits(return_X_y=True)
    A, b = A[:500], b[:500]
    ours = OneVsOneClassifier(learner).fit(A, b)
    theirs = multiclass.OneVsOneClassifier(learner).fit(A, b)
    assert len(ours.estimators_) == 45
    if hasattr(learner, "decision_function"):
        np.testing.assert_array_equal(ours.predict(A), theirs.predict(A))
        np.testing.assert_allclose(
            ours.decision_function(A), theirs.decision_function(A), rtol=1e-6
        )
    else:  # ties of votes: scores of ours are probabilities less a half
        assert (ours.predict(A) == theirs.predict(A)).mean() > 0.98


def test_it_is_the_pairwise_classifier_that_never_rejects():
    ours = OneVsOneClassifier(LogisticRegression()).fit(X, y)
    pairs = PairwiseClassifier(LogisticRegression()).fit(X, y)
    np.testing.assert_array_equal(ours.decision_function(X), pairs.decision_function(X))


def test_distances_between_rows():
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    near = KNeighborsClassifier(3, metric="precomputed")
    given = OneVsOneClassifier(near).fit(away, y)
    plain = OneVsOneClassifier(KNeighborsClassifier(3)).fit(X, y)
    np.testing.assert_array_equal(given.predict(away), plain.predict(X))


def test_two_classes_have_one_score():
    two = y < 2
    model = OneVsOneClassifier(LogisticRegression()).fit(X[two], y[two])
    assert model.decision_function(X).shape == (150,)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="at least 2 classes"):
        OneVsOneClassifier(LogisticRegression()).fit(X[:3], [1, 1, 1])
