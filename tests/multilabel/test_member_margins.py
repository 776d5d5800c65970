import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier

from gramian import HOMER, LinearSVC, MLkNN
from gramian import BinaryRelevance as Ours
from gramian.base.errors import ParameterError
from gramian.multilabel.member_margins import fit_member, margins_of

X, Y = make_multilabel_classification(80, 6, n_classes=3, random_state=0)
X = X.astype(float)


class PredictsOnly(KNeighborsClassifier):
    """A classifier with neither scores nor probabilities."""

    @property
    def predict_proba(self):
        raise AttributeError


@pytest.mark.parametrize(
    "learner",
    [
        Ours(LinearSVC()),
        MLkNN(3),
        OneVsRestClassifier(LogisticRegression()),
        MultiOutputClassifier(LogisticRegression()),
        RidgeClassifier(),
        KNeighborsClassifier(3),
        PredictsOnly(3),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_margins_are_positive_where_the_label_is_predicted(learner):
    model = fit_member(learner, X, Y > 0)
    margins = margins_of(model, X)
    assert margins.shape == (80, 3)
    np.testing.assert_array_equal(margins > 0, np.asarray(model.predict(X)) == 1)


def test_a_single_label_classifier_must_be_wrapped():
    with pytest.raises(ParameterError, match=r"BinaryRelevance\(LogisticRegression\(\)\)"):
        HOMER(LogisticRegression()).fit(X, Y)
    with pytest.raises(ValueError, match="n_samples"):  # errors of others stay as they are
        HOMER(KNeighborsClassifier(100)).fit(X, Y).predict(X)
