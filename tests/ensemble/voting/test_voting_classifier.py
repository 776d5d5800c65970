"""Combined predictions of different classifiers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import ensemble as sk
from sklearn.datasets import load_iris

from gramian import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    VotingClassifier,
    model_posterior,
)
from tests.ensemble.voting.fixed import FixedClassifier

ROWS, LABELS = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]


def says(*p):
    return [(f"m{i}", FixedClassifier(q)) for i, q in enumerate(p)]


@pytest.mark.parametrize(
    ("voting", "weights", "expected"),
    [
        ("hard", None, 1 / 3),  # one of three votes
        ("hard", [1, 1, 4], 4 / 6),
        ("soft", None, (0.4 + 0.4 + 0.95) / 3),
        ("soft", [2, 1, 1], (0.8 + 0.4 + 0.95) / 4),
        ("median", None, 0.4),
    ],
)
def test_votes_means_and_medians(voting, weights, expected):
    model = VotingClassifier(says(0.4, 0.4, 0.95), voting=voting, weights=weights)
    model.fit(ROWS, LABELS)
    assert_allclose(model.predict_proba(ROWS)[:, 1], expected)
    assert_array_equal(model.predict(ROWS), int(expected > 0.5))


def test_equal_votes_go_to_the_first_class():
    model = VotingClassifier(says(0.1, 0.9), weights=[0.1, 0.1]).fit(ROWS, LABELS)
    assert set(model.predict(ROWS)) == {0}


def test_bayesian_combination_trusts_the_model_that_predicts(rng):
    """P(M | data) in proportion to prior times evidence."""
    assert_allclose(model_posterior(np.log([1, 3]), [3, 1]), [0.5, 0.5])
    assert_allclose(model_posterior([-1e6, -1e6 - 50]), [1, 0], atol=1e-20)
    X = rng.normal(size=(300, 2))
    y = X[:, 0] > 0
    members = [("line", LogisticRegression()), ("near", KNeighborsClassifier(150))]
    model = VotingClassifier(members, voting="bayes").fit(X, y)
    assert model.log_evidence_[0] > model.log_evidence_[1]
    assert model.weights_[0] > 0.999
    assert_allclose(
        model.predict_proba(X), model.named_estimators_["line"].predict_proba(X), atol=1e-3
    )


def test_members_have_names_and_can_be_dropped():
    X, y = load_iris(return_X_y=True)
    members = [("tree", DecisionTreeClassifier()), ("near", KNeighborsClassifier())]
    model = VotingClassifier(members, voting="soft", weights=[1, 3])
    model.set_params(near__n_neighbors=7, tree="drop").fit(X, y)
    assert list(model.named_estimators_) == ["near"]
    assert model.estimators_[0].n_neighbors == 7
    theirs = sk.VotingClassifier(
        [("near", KNeighborsClassifier(7)), ("line", LogisticRegression())], voting="soft"
    ).fit(X, y)
    ours = VotingClassifier(theirs.estimators, voting="soft").fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert_allclose(ours.transform(X), theirs.transform(X))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"estimators": []}, "empty list"),
        ({"estimators": says(0.1) * 2}, "must differ"),
        ({"estimators": [("a__b", FixedClassifier())]}, "__"),
        ({"estimators": [("a", "drop")]}, "at least one"),
        ({"estimators": says(0.1, 0.2), "weights": [1.0]}, "must be equal"),
        ({"estimators": says(0.1, 0.2), "weights": [-1.0, 2.0]}, ">= 0"),
        ({"estimators": 3}, "pairs"),
    ],
)
def test_impossible_committees_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        VotingClassifier(**given).fit(ROWS, LABELS)
