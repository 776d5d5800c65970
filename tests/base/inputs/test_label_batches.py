"""Labels of batches."""

import numpy as np
import pytest

import gramian
from gramian import GaussianNB
from gramian.base.errors import DataError
from gramian.base.inputs.label_batches import batch_classes, batch_codes


def test_codes_are_places_among_the_known_classes():
    codes, known = batch_codes(GaussianNB(), ["c", "a"], 2, np.array(["a", "b", "c"]))
    assert codes.tolist() == [2, 0]
    assert known.tolist() == ["a", "b", "c"]


def test_classes_of_later_calls_must_match_the_first():
    model = GaussianNB().partial_fit([[0.0], [1.0]], [0, 1], [0, 1])
    assert batch_classes(model, None).tolist() == [0, 1]
    with pytest.raises(DataError, match="differs from the classes of the first call"):
        batch_classes(model, [0, 2])


@pytest.mark.parametrize(
    "model", [gramian.SGDClassifier, gramian.Perceptron, gramian.MLPClassifier]
)
def test_dates_among_names_are_refused_by_the_estimator(model):
    dates = np.array(["2026-01-01", "2026-01-02"], dtype="M8[D]")
    with pytest.raises(DataError, match=f"{model.__name__}: y contains labels"):
        model().partial_fit([[0.0], [1.0]], dates, classes=["ash", "oak"])


def test_labels_that_cannot_be_compared_are_refused_by_name():
    y = np.zeros(30, dtype=[("a", "f8"), ("b", "i4")])
    with pytest.raises(ValueError, match="MLPClassifier"):
        gramian.MLPClassifier().partial_fit(np.eye(30), y, classes=[0, 1])
