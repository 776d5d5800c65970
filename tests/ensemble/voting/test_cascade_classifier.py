"""Cascades: each learner classifies the rows on which the earlier ones are uncertain."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer

from gramian import (
    CascadeClassifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
)
from tests.ensemble.voting.fixed import FixedClassifier

ROWS, LABELS = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]


def test_the_second_learner_classifies_only_uncertain_rows():
    X, y = load_breast_cancer(return_X_y=True)
    stages = [
        ("line", LogisticRegression(max_iter=500, tol=1e-3)),
        ("near", KNeighborsClassifier(5)),
    ]
    model = CascadeClassifier(stages, threshold=0.95).fit(X[:, :5] / 100, y)
    line, near = model.estimators_
    stage = model.stage(X[:, :5] / 100)
    sure = line.predict_proba(X[:, :5] / 100).max(axis=1) >= 0.95
    assert_array_equal(stage == 0, sure)
    p = np.where(
        sure[:, None], line.predict_proba(X[:, :5] / 100), near.predict_proba(X[:, :5] / 100)
    )
    assert_allclose(model.predict_proba(X[:, :5] / 100), p)
    assert_allclose(model.stage_proportions(X[:, :5] / 100), model.training_proportions_)
    assert model.training_proportions_.sum() == pytest.approx(1)
    assert 0.1 < model.training_proportions_[0] < 1


def test_thresholds_of_zero_and_one():
    stages = [("first", FixedClassifier(0.9)), ("second", FixedClassifier(0.2))]
    always = CascadeClassifier(stages, threshold=0.0).fit(ROWS, LABELS)
    never = CascadeClassifier(stages, threshold=[1.0]).fit(ROWS, LABELS)
    assert set(always.stage(ROWS)) == {0}
    assert set(never.stage(ROWS)) == {1}
    with pytest.raises(ValueError, match="each of the 1 learners"):
        CascadeClassifier(stages, threshold=[0.1, 0.2]).fit(ROWS, LABELS)


def test_later_learners_may_see_only_the_hard_rows(rng):
    X = rng.normal(size=(600, 2))
    y = (X[:, 0] > 0) ^ (np.abs(X[:, 0]) < 0.3) & (X[:, 1] > 0)
    stages = [("line", LogisticRegression()), ("tree", DecisionTreeClassifier())]
    model = CascadeClassifier(stages, threshold=0.9, train_on="unsure").fit(X, y)
    assert model.estimators_[1].tree_.samples[0] < 600
    assert model.score(X, y) > model.estimators_[0].score(X, y)
