import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import multioutput
from sklearn.datasets import make_multilabel_classification

from gramian import (
    ClassifierChain,
    DecisionTreeClassifier,
    LinearSVC,
    LogisticRegression,
    load,
    save,
)
from gramian.base.errors import ModelFileError, ParameterError

X, Y = make_multilabel_classification(120, 6, n_classes=4, random_state=0)
X = X.astype(float)
LINE = LogisticRegression(tol=1e-10)
TREE = DecisionTreeClassifier(max_depth=4, random_state=0)


@pytest.mark.parametrize("learner", [LINE, TREE, LinearSVC(tol=1e-8)], ids=str)
@pytest.mark.parametrize("order", [None, [2, 0, 3, 1]])
def test_it_agrees_with_scikit_learn(learner, order):
    ours = ClassifierChain(learner, order=order).fit(X, Y)
    theirs = multioutput.ClassifierChain(learner, order=order).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    method = "predict_proba" if hasattr(learner, "predict_proba") else "decision_function"
    np.testing.assert_allclose(getattr(ours, method)(X), getattr(theirs, method)(X), atol=1e-9)
    assert ours.order_.tolist() == list(theirs.order_)
    assert len(ours.estimators_) == 4


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function"])
@pytest.mark.parametrize("cv", [None, 3])
def test_what_is_passed_along_the_chain(method, cv):
    ours = ClassifierChain(LINE, chain_method=method, cv=cv).fit(X, Y)
    theirs = multioutput.ClassifierChain(LINE, chain_method=method, cv=cv).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


def test_sparse_rows_give_the_same():
    dense = ClassifierChain(LINE).fit(X, Y).predict_proba(X)
    sparse = ClassifierChain(LINE).fit(sp.csr_array(X), Y).predict_proba(sp.csr_array(X))
    np.testing.assert_allclose(sparse, dense, atol=1e-6)


def test_a_random_order_depends_on_the_seed_only():
    first, again = (ClassifierChain(TREE, order="random", random_state=3).fit(X, Y) for _ in "ab")
    assert first.order_.tolist() == again.order_.tolist()
    assert sorted(first.order_.tolist()) == [0, 1, 2, 3]


def test_labels_never_or_always_on_have_no_classifier():
    fixed = np.column_stack([Y[:, 0], np.zeros(120, int), np.ones(120, int)])
    model = ClassifierChain(TREE, cv=3).fit(X, fixed)
    assert model.estimators_[1:] == [0, 1]
    np.testing.assert_array_equal(model.predict(X)[:, 1:], fixed[:, 1:])


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 2, 2], [0.5, 1, 2, 3], [1, 2, 3, 4]])
def test_a_bad_order_raises_an_error(order):
    with pytest.raises(ParameterError, match="each of the 4 column indices once"):
        ClassifierChain(TREE, order=order).fit(X, Y)


def test_a_missing_method_raises_an_error():
    with pytest.raises(ParameterError, match="LinearSVC has none"):
        ClassifierChain(LinearSVC(), chain_method="predict_proba").fit(X, Y)


def test_the_first_method_that_the_estimator_has_is_passed_along(tmp_path):
    methods = ["predict_proba", "decision_function"]
    ours = ClassifierChain(LinearSVC(tol=1e-8), chain_method=methods).fit(X, Y)
    theirs = multioutput.ClassifierChain(LinearSVC(tol=1e-8), chain_method=methods).fit(X, Y)
    assert ours.chain_method_ == theirs.chain_method_ == "decision_function"
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)
    with pytest.raises(ParameterError, match="chain_method must contain names of predict, "):
        ClassifierChain(TREE, chain_method=["predict", "fit"]).fit(X, Y)
    ours.chain_method_ = "fit"
    save(ours, tmp_path / "tampered.gram")
    with pytest.raises(ModelFileError, match=r"chain_method_ is not a valid method: .*fit"):
        load(tmp_path / "tampered.gram")


def test_verbose_prints_a_line_for_each_classifier(capsys):
    X, Y = make_multilabel_classification(60, n_classes=3, random_state=0)
    ClassifierChain(LogisticRegression(), order=[2, 0, 1], verbose=True).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(", total=")[0] for line in lines] == [
        f"[Chain] ({number} of 3) Processing order {label}"
        for number, label in enumerate([2, 0, 1], start=1)
    ]
    ClassifierChain(LogisticRegression()).fit(X, Y)
    assert capsys.readouterr().out == ""
