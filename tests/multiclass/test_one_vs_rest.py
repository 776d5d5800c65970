import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import config_context, multiclass
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

import gramian
from gramian import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearSVC,
    LogisticRegression,
    OneVsRestClassifier,
)
from gramian.base.errors import DataError, ParameterError

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("learner", [LogisticRegression(tol=1e-10), DecisionTreeClassifier()])
def test_it_agrees_with_scikit_learn(learner):
    ours = OneVsRestClassifier(learner).fit(X, y)
    theirs = multiclass.OneVsRestClassifier(learner).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)
    assert hasattr(ours, "decision_function") == hasattr(theirs, "decision_function")
    assert ours.n_classes_ == 3


def test_each_classifier_separates_one_class_from_the_rest():
    model = OneVsRestClassifier(LogisticRegression(tol=1e-10)).fit(X, y)
    alone = LogisticRegression(tol=1e-10).fit(X, y == 1)
    np.testing.assert_allclose(model.decision_function(X)[:, 1], alone.decision_function(X))
    whole = LogisticRegression(tol=1e-10, multi_class="ovr").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=1e-6)


def test_two_classes_take_one_classifier():
    two = y < 2
    model = OneVsRestClassifier(LogisticRegression()).fit(X[two], y[two])
    alone = LogisticRegression().fit(X[two], y[two])
    assert len(model.estimators_) == 1
    np.testing.assert_allclose(model.predict_proba(X), alone.predict_proba(X))
    np.testing.assert_allclose(model.decision_function(X), alone.decision_function(X))


@pytest.mark.parametrize("form", ["matrix", "csr", "sets"])
def test_sets_of_labels(form):
    A, B = make_multilabel_classification(120, 6, n_classes=4, random_state=0)
    label_sets = {"matrix": B, "csr": sp.csr_array(B), "sets": [set(np.flatnonzero(b)) for b in B]}[
        form
    ]
    model = OneVsRestClassifier(LogisticRegression(tol=1e-10)).fit(A, label_sets)
    theirs = multiclass.OneVsRestClassifier(LogisticRegression(tol=1e-10)).fit(A, B)
    predicted = model.predict(A)
    assert sp.issparse(predicted) == (form == "csr")
    predicted = predicted.toarray() if sp.issparse(predicted) else predicted
    np.testing.assert_array_equal(predicted, theirs.predict(A))
    np.testing.assert_allclose(model.predict_proba(A), theirs.predict_proba(A), rtol=1e-6)
    assert model.multilabel_


def test_a_label_that_all_or_no_rows_have_is_constant(tmp_path):
    A, B = make_multilabel_classification(60, 4, n_classes=2, random_state=0)
    B = np.column_stack([B[:, 0], np.ones(60, int), np.zeros(60, int)])
    with pytest.warns(UserWarning, match="is present in all training examples") as record:
        model = OneVsRestClassifier(LogisticRegression()).fit(A, B)
    messages = " ".join(str(warning.message) for warning in record)
    assert "Label 1 is present in all training examples" in messages
    assert "Label not 2 is present in all training examples" in messages
    assert (model.predict(A)[:, 1:] == [1, 0]).all()
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    np.testing.assert_array_equal(copy.predict_proba(A), model.predict_proba(A))


def test_scores_are_enough_and_probabilities_hide_without_them():
    model = OneVsRestClassifier(LinearSVC()).fit(X, y)
    assert not hasattr(model, "predict_proba")
    assert model.score(X, y) > 0.9


def test_text_goes_through_to_a_pipeline():
    text = ["red apple", "green apple", "blue sky", "grey sky", "red car", "fast car"]
    kind = ["fruit", "fruit", "sky", "sky", "car", "car"]
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression(C=100.0))
    model = OneVsRestClassifier(pipeline).fit(text, kind)
    assert model.predict(["the apple", "a car"]).tolist() == ["fruit", "car"]


def test_bad_input():
    with pytest.raises(DataError, match="at least 2 classes"):
        OneVsRestClassifier(LogisticRegression()).fit(X[:3], [1, 1, 1])
    with pytest.raises(ParameterError, match="does not support sample_weight"):
        OneVsRestClassifier(KNeighborsClassifier()).fit(X, y, np.ones(150))


@pytest.mark.parametrize("labels", [3, 2])
def test_parts_of_the_rows_in_any_number_of_calls(labels):
    A, b = X[y < labels], np.array(list("abc"))[y[y < labels]]
    order = np.random.default_rng(0).permutation(len(A))
    A, b, w = A[order], b[order], 1.0 + order % 3
    codes = np.searchsorted(["a", "b", "c"], b)  # scikit-learn's takes numbers only
    model = OneVsRestClassifier(gramian.GaussianNB(var_smoothing=0.0))
    plain, theirs = (
        kind(gramian.GaussianNB(var_smoothing=0.0))
        for kind in (OneVsRestClassifier, multiclass.OneVsRestClassifier)
    )
    for part in np.array_split(np.arange(len(A)), 4):
        model.partial_fit(A[part], b[part], classes=np.unique(b), sample_weight=w[part])
        plain.partial_fit(A[part], b[part], classes=np.unique(b))
        theirs.partial_fit(A[part], codes[part], classes=np.unique(codes))
    whole = OneVsRestClassifier(gramian.GaussianNB(var_smoothing=0.0)).fit(A, b, w)
    np.testing.assert_allclose(model.predict_proba(A), whole.predict_proba(A), rtol=1e-6)
    np.testing.assert_array_equal(model.predict(A), whole.predict(A))
    np.testing.assert_array_equal(plain.predict(A), np.array(["a", "b", "c"])[theirs.predict(A)])


def test_parts_need_classes_first_and_an_estimator_that_takes_them():
    model = OneVsRestClassifier(gramian.GaussianNB())
    with pytest.raises(DataError, match="classes must be passed on the first call"):
        model.partial_fit(X, y)
    model.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(DataError, match="do not exist in the initial classes"):
        model.partial_fit(X, y + 1)
    assert not hasattr(OneVsRestClassifier(DecisionTreeClassifier()), "partial_fit")


def test_arguments_are_routed_to_the_members():
    w = 1.0 + np.arange(len(y)) % 4
    plain = OneVsRestClassifier(LogisticRegression(tol=1e-10))
    with pytest.raises(ParameterError, match="enable_metadata_routing"):
        plain.fit(X, y, groups=w)
    weighted = plain.fit(X, y, sample_weight=w).decision_function(X)
    with config_context(enable_metadata_routing=True):
        with pytest.raises(UnsetMetadataPassedError):
            plain.fit(X, y, sample_weight=w)
        asked = LogisticRegression(tol=1e-10).set_fit_request(sample_weight=True)
        routed = OneVsRestClassifier(asked).fit(X, y, sample_weight=w)
        np.testing.assert_array_equal(routed.decision_function(X), weighted)
