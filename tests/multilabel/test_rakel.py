from math import comb

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import f1_score

from gramian import (
    BinaryRelevance,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LabelPowerset,
    RAkELd,
    RAkELo,
)
from tests.multilabel.mulan_sets import load

X, Y = make_multilabel_classification(150, 6, n_classes=5, random_state=0)
TREE = DecisionTreeClassifier(max_depth=4, random_state=0)


def test_overlapping_sets_are_distinct_and_voted_on():
    model = RAkELo(TREE, n_estimators=7, random_state=0).fit(X, Y)
    sets = {tuple(each) for each in model.labelsets_}
    assert len(sets) == 7
    assert all(len(each) == 3 for each in sets)
    votes, asked = np.zeros(Y.shape), np.zeros(5)
    for labels in model.labelsets_:  # the obvious version
        votes[:, labels] += LabelPowerset(clone(TREE)).fit(X, Y[:, labels]).predict(X)
        asked[labels] += 1
    np.testing.assert_allclose((model.decision_function(X) + 0.5), votes / asked)
    np.testing.assert_array_equal(model.predict(X), (votes / asked > 0.5).astype(int))


def test_disjoint_sets_divide_the_labels():
    model = RAkELd(TREE, labelset_size=2, random_state=0).fit(X, Y)
    assert sorted(np.concatenate(model.labelsets_).tolist()) == [0, 1, 2, 3, 4]
    assert [len(each) for each in model.labelsets_] == [2, 2, 1]
    expected = np.zeros(Y.shape)
    for labels in model.labelsets_:
        codes = Y[:, labels] @ (2 ** np.arange(len(labels))[::-1])
        tree = clone(TREE).fit(X, codes)
        bits = (tree.predict(X)[:, None] >> np.arange(len(labels))[::-1]) & 1
        expected[:, labels] = bits
    np.testing.assert_array_equal(model.predict(X), expected)


@pytest.mark.parametrize("size", [1, 3, 5, 9])
def test_the_number_of_sets_has_a_limit(size):
    model = RAkELo(TREE, labelset_size=size, random_state=0).fit(X, Y)
    assert len(model.labelsets_) == min(10, comb(5, min(size, 5)))
    assert len({tuple(each) for each in model.labelsets_}) == len(model.labelsets_)


def test_sets_of_one_label_are_binary_relevance():
    one = RAkELd(TREE, labelset_size=1, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(one.predict(X), BinaryRelevance(TREE).fit(X, Y).predict(X))


def test_neighbours_are_searched_once_for_all_sets():
    model = RAkELo(KNeighborsClassifier(5), random_state=0).fit(X, Y)
    assert model.models_.joint
    votes, asked = np.zeros(Y.shape), np.zeros(5)
    for labels, sets in zip(model.labelsets_, model.sets_, strict=True):
        _, codes = np.unique(Y[:, labels], axis=0, return_inverse=True)
        predicted = KNeighborsClassifier(5).fit(X, codes.ravel()).predict(X)
        votes[:, labels] += sets[predicted]
        asked[labels] += 1
    np.testing.assert_allclose((model.decision_function(X) + 0.5), votes / asked)


@pytest.mark.slow
def test_it_improves_on_a_tree_for_each_label_of_yeast(data_folder):
    """Tsoumakas, Katakis and Vlahavas 2011: RAkELo has the larger micro F1 with trees."""
    A, B, A_test, B_test = load(data_folder, "yeast")
    tree = DecisionTreeClassifier(random_state=0)
    several = RAkELo(tree, random_state=0).fit(A, B).predict(A_test)
    single = BinaryRelevance(tree).fit(A, B).predict(A_test)
    assert f1_score(B_test, several, average="micro") > f1_score(B_test, single, average="micro")


def test_a_file_needs_a_set_for_each_class():
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = RAkELd(DecisionTreeClassifier(), random_state=0).fit(X, (X > 0).astype(int))
    model._check_loaded()
    model.sets_[0] = model.sets_[0][:1]
    with pytest.raises(ValueError, match="a row for each class"):
        model._check_loaded()
