import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification

from gramian import BinaryRelevance, BRkNN, KNeighborsClassifier

X, Y = make_multilabel_classification(80, 6, n_classes=4, n_labels=1, random_state=0)


def test_it_is_binary_relevance_of_nearest_neighbours():
    ours = BRkNN(5).fit(X, Y).decision_function(X) + 0.5
    same = BinaryRelevance(KNeighborsClassifier(5)).fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(ours, same)


def test_extension_a_leaves_no_row_without_labels():
    plain, model = BRkNN(10).fit(X, Y), BRkNN(10, extension="a").fit(X, Y)
    empty = plain.predict(X).sum(axis=1) == 0
    assert empty.any()
    found = model.predict(X)
    np.testing.assert_array_equal(found[~empty], plain.predict(X)[~empty])
    assert (found[empty].sum(axis=1) == 1).all()
    best = model.decision_function(X)[empty].argmax(axis=1)
    np.testing.assert_array_equal(found[empty].argmax(axis=1), best)


def test_extension_b_predicts_as_many_labels_as_the_neighbours_have():
    model = BRkNN(10, extension="b").fit(X, Y)
    p = model.decision_function(X) + 0.5
    np.testing.assert_array_equal(model.predict(X).sum(axis=1), np.rint(p.sum(axis=1)))
    for row, has in zip(p, model.predict(X) > 0, strict=True):
        assert not has.any() or has.all() or row[has].min() >= row[~has].max()


@pytest.mark.parametrize("extension", [None, "a", "b"])
def test_one_label_per_row(extension):
    y = Y.argmax(axis=1)
    model = BRkNN(5, extension=extension).fit(X, y)
    assert (model.predict(X) == model.classes_[model.decision_function(X).argmax(axis=1)]).all()
