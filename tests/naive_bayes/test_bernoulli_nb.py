"""Naive Bayes for binary columns."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB as Peer

from gramian import BernoulliNB
from gramian.base.errors import DataError
from tests.naive_bayes.real import documents


def test_the_chinese_example_of_manning_2008_section_13_3():
    """Example 13.2: P(c | d5) ~ 0.005, P(not c | d5) ~ 0.022; the decision is not c."""
    X = [[1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    model = BernoulliNB().fit(X, [1, 1, 1, 0])
    joint = np.exp(model.predict_joint_log_proba([[1, 0, 0, 0, 1, 1]])[0])
    assert_allclose(joint, [0.022, 0.005], atol=5e-4)


def test_agrees_with_scikit_learn_on_the_corn_articles(data_folder):
    texts, y = documents(data_folder, "train")
    X = CountVectorizer(max_features=3000).fit_transform(texts)
    ours, theirs = BernoulliNB().fit(X, y), Peer().fit(X, y)
    assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-12)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    dense = X[:200].toarray()
    assert_allclose(ours.predict_log_proba(dense), theirs.predict_log_proba(dense), atol=1e-6)


@pytest.mark.parametrize("sparse", [False, True])
def test_without_smoothing_certain_columns_rule_classes_out(sparse):
    X = np.array([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
    model = BernoulliNB(alpha=0.0).fit(sp.csr_array(X) if sparse else X, [0, 0, 1, 1])
    Q = np.array([[1.0, 0, 1], [0, 0, 1], [0, 0, 0], [1, 1, 1]])
    p = np.array([[1.0, 0, 0.5], [0, 0.5, 1]])
    with np.errstate(divide="ignore"):
        exact = np.log(0.5) + np.log(np.where(Q[:, None], p, 1 - p)).sum(axis=2)
    assert_allclose(model.predict_joint_log_proba(sp.csr_array(Q) if sparse else Q), exact)


def test_thresholds():
    X = np.array([[0.2, 3.0], [0.8, -1.0]])
    assert_array_equal(BernoulliNB(binarize=0.5).fit(X, [0, 1]).feature_count_, [[0, 1], [1, 0]])
    with pytest.raises(DataError, match="0 and 1 only"):
        BernoulliNB(binarize=None).fit(X, [0, 1])
    with pytest.raises(DataError, match="binarize must be >= 0 for a sparse X"):
        BernoulliNB(binarize=-1.0).fit(sp.csr_array(X), [0, 1])
