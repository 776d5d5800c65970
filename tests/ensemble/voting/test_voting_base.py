"""Voting estimators: members, weights, posterior probabilities of models."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import (
    KNeighborsClassifier,
    LogisticRegression,
    Ridge,
    VotingClassifier,
    VotingRegressor,
)
from gramian.base.errors import ParameterError
from gramian.ensemble import model_posterior


def test_bayesian_combination_trusts_the_model_that_predicts(rng):
    """P(M | data) proportional to prior times evidence."""
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


def test_progress_is_printed(capsys):
    members = [("line", LogisticRegression()), ("near", KNeighborsClassifier(1))]
    VotingClassifier(members, verbose=True).fit([[0.0], [1.0]], [0, 1])
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("[Voting] (1 of 2) Processing line, total=")
    assert second.startswith("[Voting] (2 of 2) Processing near, total=")


def test_members_must_match_the_type_of_the_ensemble():
    with pytest.raises(ParameterError, match="Ridge should be a classifier"):
        VotingClassifier([("ridge", Ridge())]).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ParameterError, match="LogisticRegression should be a regressor"):
        VotingRegressor([("line", LogisticRegression())]).fit([[0.0], [1.0]], [0.0, 1.0])


def test_dropped_members_keep_their_name():
    members = [("line", LogisticRegression()), ("near", "drop")]
    model = VotingClassifier(members).fit([[0.0], [1.0]], [0, 1])
    assert model.named_estimators_["near"] == "drop"
    assert len(model.estimators_) == 1
