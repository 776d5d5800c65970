import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_multilabel_classification

from gramian import DecisionTreeClassifier, LabelPowerset, LinearSVC, LogisticRegression
from gramian.base.errors import DataError
from gramian.multilabel.label_powerset import powerset

X, Y = make_multilabel_classification(150, 6, n_classes=4, random_state=0)
LINE = LogisticRegression(tol=1e-10)


@given(st.integers(0, 2**32 - 1))
def test_classes_and_sets_are_one_to_one(seed):
    rows = np.random.default_rng(seed).random((9, 3)) < 0.5
    codes, sets = powerset(rows)
    np.testing.assert_array_equal(sets[codes], rows)
    assert len(np.unique(sets, axis=0)) == len(sets) == codes.max() + 1


def test_it_is_a_multiclass_classifier_of_label_sets():
    model = LabelPowerset(LINE).fit(X, Y)
    texts = np.array(["".join(map(str, row)) for row in Y])
    alone = LogisticRegression(tol=1e-10).fit(X, texts)
    predicted = ["".join(map(str, row)) for row in model.predict(X)]
    assert predicted == alone.predict(X).tolist()


def test_only_sets_of_the_training_rows_are_predicted_and_come_first():
    model = LabelPowerset(LINE).fit(X, Y)
    predicted = model.predict(X)
    seen = {tuple(row) for row in Y}
    assert {tuple(row) for row in predicted} <= seen
    margins = model.decision_function(X)
    np.testing.assert_array_equal(margins > 0, predicted == 1)
    p = LogisticRegression(tol=1e-10).fit(X, powerset(Y > 0).codes).predict_proba(X)
    marginal = p @ model.sets_
    np.testing.assert_allclose(2 * margins + 1 - predicted, marginal, atol=1e-9)


def test_pruning_drops_rare_sets_or_replaces_them_by_subsets():
    rows = np.array([[1, 0, 0]] * 4 + [[0, 1, 0]] * 3 + [[1, 1, 0], [0, 0, 1]])
    A = np.arange(9.0)[:, None]
    dropped = LabelPowerset(DecisionTreeClassifier(), min_count=2, pruned="drop").fit(A, rows)
    assert dropped.sets_.astype(int).tolist() == [[0, 1, 0], [1, 0, 0]]
    model = LabelPowerset(DecisionTreeClassifier(), min_count=2)
    rows_kept, found = model._prune(powerset(rows > 0))
    # the row of both labels is there twice, the one of the rare label not at all
    assert rows_kept.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 7]
    assert found.sets[found.codes[-2:]].astype(int).tolist() == [[1, 0, 0], [0, 1, 0]]
    single = LabelPowerset(DecisionTreeClassifier(), min_count=2, n_subsets=1)
    assert len(single._prune(powerset(rows > 0))[0]) == 8


def test_too_much_pruning_raises_an_error():
    with pytest.raises(DataError, match="no label set has min_count=99; the most frequent"):
        LabelPowerset(LINE, min_count=99).fit(X, Y)


def test_members_without_probabilities():
    model = LabelPowerset(LinearSVC()).fit(X, Y)
    alone = LinearSVC().fit(X, powerset(Y > 0).codes)
    np.testing.assert_array_equal(model.predict(X), model.sets_[alone.predict(X)])
