import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier

import gramian
from gramian import (
    HOMER,
    BinaryRelevance,
    DecisionTreeClassifier,
    LabelPowerset,
    LogisticRegression,
    MLkNN,
)
from tests.multilabel.mulan_sets import load

X, Y = make_multilabel_classification(150, 8, n_classes=9, n_labels=3, random_state=0)
X = X.astype(float)
LINE = BinaryRelevance(LogisticRegression())


def walked(model, row):
    """The labels of the leaves that a row reaches: the recursion of the paper."""
    tree = model.hierarchy_

    def below(node):
        if len(tree.labels[node]) == 1:
            return {int(tree.labels[node][0])}
        learner = model.estimators_[tree.inner.tolist().index(node)]
        on = learner.predict(row[None])[0]
        found = [below(c) for c, yes in zip(tree.children(node), on, strict=True) if yes]
        return set().union(*found)

    return below(0)


@pytest.mark.parametrize("distribution", ["balanced", "kmeans", "random"])
@pytest.mark.parametrize("k", [2, 4, 20])
def test_rows_are_forwarded_to_the_predicted_children(distribution, k):
    model = HOMER(LINE, n_children=k, distribution=distribution, random_state=0).fit(X, Y)
    assert model.predict_sets(X[:30]) == [walked(model, row) for row in X[:30]]
    np.testing.assert_array_equal(model.predict(X), (model.decision_function(X) > 0).astype(int))


def test_each_node_is_fitted_to_the_rows_that_have_one_of_its_labels():
    """ML-03 and E54: meta-labels are unions, and children of several labels are divided."""
    model = HOMER(LINE, n_children=3, random_state=0).fit(X, Y)
    tree = model.hierarchy_
    leaves = [len(labels) for labels in tree.labels if len(labels) == 1]
    assert len(leaves) == 9
    assert tree.depth == 2
    for node, learner in zip(tree.inner, model.estimators_, strict=True):
        rows = np.arange(150) if node == 0 else np.flatnonzero(Y[:, tree.labels[node]].any(axis=1))
        meta = np.column_stack(
            [Y[np.ix_(rows, tree.labels[c])].any(axis=1) for c in tree.children(node)]
        )
        alone = BinaryRelevance(LogisticRegression()).fit(X[rows], meta.astype(int))
        np.testing.assert_allclose(learner.predict_proba(X), alone.predict_proba(X))


def test_few_labels_need_one_node():
    """ML-03: with at least as many children as labels, HOMER is its base learner."""
    model = HOMER(LINE, n_children=9).fit(X, Y)
    assert model.hierarchy_.depth == 1
    np.testing.assert_array_equal(model.predict(X), LINE.fit(X, Y).predict(X))


@pytest.mark.parametrize(
    "learner",
    [MLkNN(3), LabelPowerset(DecisionTreeClassifier()), OneVsRestClassifier(LogisticRegression())],
    ids=lambda learner: type(learner).__name__,
)
def test_any_multi_label_classifier_works(learner):
    model = HOMER(learner, n_children=3, random_state=0).fit(X, Y)
    assert f1_score(Y, model.predict(X), average="micro") > 0.4


def test_rows_visit_few_nodes():
    model = HOMER(LINE, n_children=2, random_state=0).fit(X, Y)
    visits = model.visited_nodes(X)
    assert (visits >= 1).all()
    assert (visits <= len(model.hierarchy_.inner)).all()
    sizes = model.predict(X).sum(axis=1)
    assert (visits[sizes == 0] >= 1).all()


def test_odd_labels():
    fixed = Y.copy()
    fixed[:, 0], fixed[:, 1] = 0, 1
    fixed[:30, 2:] = 0
    model = HOMER(LINE, n_children=2, random_state=0).fit(X, fixed)
    assert not model.predict(X)[:, 0].any()
    assert model.predict(X)[:, 1].all()
    none = HOMER(LINE, n_children=2, random_state=0).fit(X, np.zeros_like(Y))
    assert not none.predict(X).any()
    single = HOMER(LINE).fit(X, [{"a"} if row[0] else set() for row in Y])
    assert single.predict(X).shape == (150, 1)


@pytest.mark.slow
def test_it_is_as_good_as_binary_relevance_on_bibtex(data_folder):
    """Mulan's split, the same base learner: HOMER finds more labels."""
    A, B, A_test, B_test = load(data_folder, "bibtex")
    few = B.sum(axis=0).argsort()[-20:]
    A, A_test = sp.csr_array(A), sp.csr_array(A_test)
    base = BinaryRelevance(LogisticRegression())
    homer = HOMER(base, n_children=4, random_state=0).fit(A, B[:, few])
    plain = BinaryRelevance(LogisticRegression()).fit(A, B[:, few])
    f_homer, f_plain = (
        f1_score(B_test[:, few], model.predict(A_test), average="micro", zero_division=0)
        for model in (homer, plain)
    )
    assert f_homer > f_plain - 0.02


def test_a_tampered_file_is_refused(tmp_path):
    model = HOMER(LINE, n_children=3, random_state=0).fit(X, Y)
    model.estimators_ = model.estimators_[:-1]
    gramian.save(model, tmp_path / "m.gram")
    with pytest.raises(ValueError, match="do not match"):
        gramian.load(tmp_path / "m.gram")
