"""Classifiers that predict the most probable class."""

import numpy as np
import pytest
from sklearn.base import clone

from gramian import (
    BaggingClassifier,
    C45Classifier,
    CascadeClassifier,
    DecisionStump,
    ObliqueTreeClassifier,
)
from gramian.tree.most_probable_class import MostProbableClass


class Given(MostProbableClass):
    """Has the probabilities that it is asked about."""

    classes_ = np.array(["a", "b", "c"])

    def predict_proba(self, X):
        return np.asarray(X)


def test_the_greatest_probability_wins_and_the_first_in_a_tie():
    p = [[0.2, 0.5, 0.3], [0.4, 0.2, 0.4], [0.0, 0.0, 1.0]]
    assert Given().predict(p).tolist() == ["b", "a", "c"]


@pytest.mark.parametrize(
    "model",
    [
        BaggingClassifier(random_state=0),
        C45Classifier(),
        CascadeClassifier([("stump", DecisionStump())]),
        DecisionStump(),
        ObliqueTreeClassifier(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_labels_agree_with_probabilities(model, rng):
    X = rng.normal(size=(80, 2))
    model = clone(model).fit(X, np.where(X[:, 0] + X[:, 1] > 0.2, "yes", "no"))
    p = model.predict_proba(X)
    assert model.predict(X).tolist() == model.classes_[p.argmax(axis=1)].tolist()
