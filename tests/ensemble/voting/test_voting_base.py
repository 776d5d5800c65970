"""What the voting estimators share: members, weights, posteriors of models."""

import numpy as np
from numpy.testing import assert_allclose

from gramian import (
    KNeighborsClassifier,
    LogisticRegression,
    VotingClassifier,
    model_posterior,
)


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
