"""Ensembles of learners with names."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import ensemble as sk
from sklearn.datasets import load_iris

from gramian import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    VotingClassifier,
)
from tests.ensemble.voting.fixed import FixedClassifier, fixed_members

ROWS, LABELS = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]


def test_members_have_names_and_can_be_dropped():
    X, y = load_iris(return_X_y=True)
    members = [("tree", DecisionTreeClassifier()), ("near", KNeighborsClassifier())]
    model = VotingClassifier(members, voting="soft", weights=[1, 3])
    model.set_params(near__n_neighbors=7, tree="drop").fit(X, y)
    assert list(model.named_estimators_) == ["tree", "near"]
    assert model.named_estimators_["tree"] == "drop"
    assert model.estimators_[0].n_neighbors == 7
    theirs = sk.VotingClassifier(
        [("near", KNeighborsClassifier(7)), ("line", LogisticRegression())], voting="soft"
    ).fit(X, y)
    ours = VotingClassifier(theirs.estimators, voting="soft").fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert_allclose(ours.transform(X), theirs.transform(X))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"estimators": []}, "empty list"),
        ({"estimators": fixed_members(0.1) * 2}, "must be unique"),
        ({"estimators": [("a__b", FixedClassifier())]}, "__"),
        ({"estimators": [("a", "drop")]}, "at least one"),
        ({"estimators": fixed_members(0.1, 0.2), "weights": [1.0]}, "must be equal"),
        ({"estimators": fixed_members(0.1, 0.2), "weights": [-1.0, 2.0]}, ">= 0"),
        ({"estimators": 3}, "pairs"),
    ],
)
def test_invalid_members_and_weights_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        VotingClassifier(**settings).fit(ROWS, LABELS)
