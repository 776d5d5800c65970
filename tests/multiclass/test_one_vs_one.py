import numpy as np
import pytest
from sklearn import config_context, multiclass
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import UnsetMetadataPassedError

import gramian
from gramian import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    OneVsOneClassifier,
    PairwiseClassifier,
)
from gramian.base.errors import DataError, ParameterError

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("learner", [LogisticRegression(tol=1e-10), DecisionTreeClassifier()])
def test_it_agrees_with_scikit_learn(learner):
    A, b = load_digits(return_X_y=True)
    A, b = A[:500], b[:500]
    ours = OneVsOneClassifier(learner).fit(A, b)
    theirs = multiclass.OneVsOneClassifier(learner).fit(A, b)
    assert len(ours.estimators_) == 45
    if hasattr(learner, "decision_function"):
        np.testing.assert_array_equal(ours.predict(A), theirs.predict(A))
        np.testing.assert_allclose(
            ours.decision_function(A), theirs.decision_function(A), rtol=1e-6
        )
    else:  # ties of votes: scores of ours are probabilities less a half
        assert (ours.predict(A) == theirs.predict(A)).mean() > 0.98


def test_it_is_the_pairwise_classifier_that_never_rejects():
    ours = OneVsOneClassifier(LogisticRegression()).fit(X, y)
    pairs = PairwiseClassifier(LogisticRegression()).fit(X, y)
    np.testing.assert_array_equal(ours.decision_function(X), pairs.decision_function(X))


def test_distances_between_rows():
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    near = KNeighborsClassifier(3, metric="precomputed")
    precomputed = OneVsOneClassifier(near).fit(away, y)
    plain = OneVsOneClassifier(KNeighborsClassifier(3)).fit(X, y)
    np.testing.assert_array_equal(precomputed.predict(away), plain.predict(X))


def test_two_classes_have_one_score():
    two = y < 2
    model = OneVsOneClassifier(LogisticRegression()).fit(X[two], y[two])
    assert model.decision_function(X).shape == (150,)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="at least 2 classes"):
        OneVsOneClassifier(LogisticRegression()).fit(X[:3], [1, 1, 1])


@pytest.mark.parametrize("labels", [3, 2])
def test_parts_of_the_rows_in_any_number_of_calls(labels):
    A, b = X[y < labels], np.array(list("abc"))[y[y < labels]]
    order = np.random.default_rng(0).permutation(len(A))
    A, b, w = A[order], b[order], 1.0 + order % 3
    codes = np.searchsorted(["a", "b", "c"], b)  # scikit-learn's takes numbers only
    model = OneVsOneClassifier(gramian.GaussianNB(var_smoothing=0.0))
    plain, theirs = (
        kind(gramian.GaussianNB(var_smoothing=0.0))
        for kind in (OneVsOneClassifier, multiclass.OneVsOneClassifier)
    )
    for part in np.array_split(np.arange(len(A)), 4):
        model.partial_fit(A[part], b[part], classes=np.unique(b), sample_weight=w[part])
        plain.partial_fit(A[part], b[part], classes=np.unique(b))
        theirs.partial_fit(A[part], codes[part], classes=np.unique(codes))
    whole = OneVsOneClassifier(gramian.GaussianNB(var_smoothing=0.0)).fit(A, b, w)
    np.testing.assert_allclose(model.decision_function(A), whole.decision_function(A), rtol=1e-6)
    np.testing.assert_array_equal(model.predict(A), whole.predict(A))
    np.testing.assert_array_equal(plain.predict(A), np.array(["a", "b", "c"])[theirs.predict(A)])


def test_parts_need_classes_first_and_an_estimator_that_takes_them():
    model = OneVsOneClassifier(gramian.GaussianNB())
    with pytest.raises(DataError, match="classes must be passed on the first call"):
        model.partial_fit(X, y)
    model.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(DataError, match="do not exist in the initial classes"):
        model.partial_fit(X, y + 1)
    assert not hasattr(OneVsOneClassifier(DecisionTreeClassifier()), "partial_fit")


def test_arguments_are_routed_to_the_members():
    w = 1.0 + np.arange(len(y)) % 4
    plain = OneVsOneClassifier(LogisticRegression(tol=1e-10))
    with pytest.raises(ParameterError, match="enable_metadata_routing"):
        plain.fit(X, y, groups=w)
    weighted = plain.fit(X, y, sample_weight=w).decision_function(X)
    with config_context(enable_metadata_routing=True):
        with pytest.raises(UnsetMetadataPassedError):
            plain.fit(X, y, sample_weight=w)
        asked = LogisticRegression(tol=1e-10).set_fit_request(sample_weight=True)
        routed = OneVsOneClassifier(asked).fit(X, y, sample_weight=w)
        np.testing.assert_array_equal(routed.decision_function(X), weighted)
