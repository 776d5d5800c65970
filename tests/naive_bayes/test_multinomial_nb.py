"""Multinomial naive Bayes."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB as Peer

from gramian import MultinomialNB
from tests.naive_bayes.real import documents


def test_the_chinese_example_of_manning_2008_table_13_1():
    """Example 13.1: P(c | d5) ~ 3/4 (3/7)^3 (1/14)^2 = 0.0003, and 0.0001 for not c."""
    words = ["chinese", "beijing", "shanghai", "macao", "tokyo", "japan"]
    texts = ["chinese beijing chinese", "chinese chinese shanghai", "chinese macao"]
    texts.append("tokyo japan chinese")
    counts = [[text.split().count(word) for word in words] for text in texts]
    model = MultinomialNB().fit(counts, [1, 1, 1, 0])
    assert_allclose(np.exp(model.feature_log_prob_[1, [0, 4]]), [3 / 7, 1 / 14])
    joint = np.exp(model.predict_joint_log_proba([[3, 0, 0, 0, 1, 1]])[0])
    assert_allclose(joint, [1 / 4 * (2 / 9) ** 5, 3 / 4 * (3 / 7) ** 3 / 14**2])
    assert model.predict([[3, 0, 0, 0, 1, 1]])[0] == 1


def test_agrees_with_scikit_learn_on_the_corn_articles(data_folder):
    texts, y = documents(data_folder, "train")
    counter = CountVectorizer().fit(texts)
    X, Q = counter.transform(texts), counter.transform(documents(data_folder, "test")[0])
    ours, theirs = MultinomialNB().fit(X, y), Peer().fit(X, y)
    assert_allclose(ours.feature_count_, theirs.feature_count_)
    assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-12)
    assert_array_equal(ours.predict(Q), theirs.predict(Q))
    assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q), atol=1e-9)


def test_without_smoothing_a_new_word_rules_a_class_out_and_an_absent_one_does_not():
    model = MultinomialNB(alpha=0.0).fit([[2, 0, 1], [0, 2, 1]], ["a", "b"])
    joint = model.predict_joint_log_proba([[1, 0, 1], [0, 0, 1], [1, 1, 0]])
    assert np.isneginf(joint[0, 1])
    assert np.isfinite(joint[1]).all()
    assert np.isneginf(joint[2]).all()
    assert_allclose(model.predict_proba([[1, 1, 0]]), 0.5)
