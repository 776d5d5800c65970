"""Leaves with class probabilities, for one output or several."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gramian.base.errors import ParameterError
from gramian.tree import DecisionTreeClassifier


def test_the_most_probable_class_of_each_output_the_first_in_a_tie():
    model = DecisionTreeClassifier(max_depth=0)
    model.fit(np.zeros((4, 1)), [["a", 0], ["a", 1], ["b", 2], ["b", 2]])
    assert model.predict([[0.0]]).tolist() == [["a", "2"]]
    first, second = model.predict_proba([[0.0]])
    assert_array_equal(first, [[0.5, 0.5]])
    assert_array_equal(second, [[0.25, 0.25, 0.5]])
    assert (model.n_outputs_, model.n_classes_) == (2, [2, 3])


def test_class_weights_multiply_the_weights_of_the_rows():
    X, y, w = [[0.0], [0.0], [0.0]], ["a", "b", "b"], [1.0, 2.0, 3.0]
    model = DecisionTreeClassifier(class_weight={"a": 5.0}).fit(X, y, sample_weight=w)
    assert_array_equal(model.predict_proba([[0.0]]), [[0.5, 0.5]])
    balanced = DecisionTreeClassifier(class_weight="balanced").fit(X, y, sample_weight=w)
    assert_array_equal(balanced.predict_proba([[0.0]]), [[0.5, 0.5]])


@pytest.mark.parametrize(
    ("parameters", "y", "words"),
    [
        ({"monotonic_cst": [1]}, [0, 1, 2, 1], "two classes and one output"),
        ({"criterion": lambda p: 1 - (p**2).sum(axis=1)}, [[0, 1]] * 4, "one output only"),
    ],
)
def test_options_for_one_output_or_two_classes_are_rejected(parameters, y, words):
    with pytest.raises(ParameterError, match=words):
        DecisionTreeClassifier(**parameters).fit(np.arange(4.0)[:, None], y)
