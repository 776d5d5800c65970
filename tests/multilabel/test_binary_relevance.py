import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import multiclass
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression as TheirLogistic

from gramian import BinaryRelevance, LogisticRegression, RidgeClassifier
from tests.multilabel.mulan_sets import load

X, Y = make_multilabel_classification(100, 6, n_classes=4, random_state=0)


def test_each_label_has_its_own_classifier():
    model = BinaryRelevance(LogisticRegression(tol=1e-10)).fit(X, Y)
    alone = LogisticRegression(tol=1e-10).fit(X, Y[:, 2])
    np.testing.assert_allclose(model.predict_proba(X)[:, 2], alone.predict_proba(X)[:, 1])


@pytest.mark.slow
def test_it_agrees_with_scikit_learn_on_bibtex(data_folder):
    """Four of the 159 labels, sparse rows."""
    A, B, A_test, _ = load(data_folder, "bibtex")
    A, A_test, B = sp.csr_array(A), sp.csr_array(A_test), B[:, :4]
    ours = BinaryRelevance(LogisticRegression(tol=1e-6)).fit(A, B)
    theirs = multiclass.OneVsRestClassifier(TheirLogistic(tol=1e-8, max_iter=2000)).fit(A, B)
    np.testing.assert_allclose(ours.predict_proba(A_test), theirs.predict_proba(A_test), atol=2e-3)


def test_ridge_models_share_one_factorisation():
    model = BinaryRelevance(RidgeClassifier()).fit(X, Y)
    alone = RidgeClassifier().fit(X, Y[:, 1])
    np.testing.assert_allclose(model.decision_function(X)[:, 1], alone.decision_function(X))
    assert model.models_.joint


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_scores_have_the_type_of_the_rows(dtype):
    model = BinaryRelevance(LogisticRegression()).fit(X.astype(dtype), Y)
    assert model.predict_proba(X.astype(dtype)).dtype == dtype
