"""Complement naive Bayes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import ComplementNB as Peer

from gramian import ComplementNB
from tests.naive_bayes.real import documents


@pytest.mark.parametrize("norm", [False, True])
def test_agrees_with_scikit_learn_on_the_corn_articles(norm, data_folder):
    texts, y = documents(data_folder, "train")
    X = CountVectorizer(max_features=3000).fit_transform(texts)
    ours, theirs = ComplementNB(norm=norm).fit(X, y), Peer(norm=norm).fit(X, y)
    assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-10)
    assert_array_equal(ours.predict(X), theirs.predict(X))


def test_weights_come_from_the_other_classes():
    """Rennie et al. 2003, (5): w_kj = -log of the proportion of column j elsewhere."""
    X, y = np.array([[2.0, 1.0], [0.0, 3.0], [1.0, 1.0]]), [0, 1, 2]
    model = ComplementNB(alpha=0.5).fit(X, y)
    rest = X.sum(axis=0) - X + 0.5
    assert_allclose(model.feature_log_prob_, -np.log(rest / rest.sum(axis=1, keepdims=True)))


def test_without_smoothing_a_word_of_one_class_only_decides_for_it():
    model = ComplementNB(alpha=0.0).fit([[3, 0, 1], [0, 2, 1]], ["a", "b"])
    assert model.predict([[1, 0, 5], [0, 1, 5]]).tolist() == ["a", "b"]
    assert not np.isnan(model.predict_proba([[1, 1, 1]])).any()
