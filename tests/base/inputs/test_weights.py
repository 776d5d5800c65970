"""Weights of rows and classes: checked once, and weight k is the row k times."""

import numpy as np
import pytest

import gramian
from gramian import LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.weights import (
    check_held_out,
    check_weights,
    class_weights,
    unit_weights,
    weigh_classes,
    weigh_outputs,
)

CLASSES = np.array(["a", "b"])


@pytest.mark.parametrize("value", [2, 2.0, [2, 2, 2], np.full(3, 2, dtype=np.int8)])
def test_weights_become_doubles(value):
    weights = check_weights(LogisticRegression(), value, 3)
    assert weights.dtype == np.float64
    assert weights.tolist() == [2.0, 2.0, 2.0]


def test_no_weights_are_none():
    assert check_weights(LogisticRegression(), None, 3) is None


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        ([1, 2], r"shape \(3,\)"),
        ([1, -2, 1], "negative; got -2 at row 1"),
        ([0, 0, 0], "every sample_weight is zero"),
        ([1, np.nan, 1], "contains NaN"),
        (["a", "b", "c"], "sample_weight"),
    ],
)
def test_bad_weights_name_the_estimator(parameter, words):
    with pytest.raises(DataError, match=words) as error:
        check_weights(LogisticRegression(), parameter, 3)
    assert str(error.value).startswith("LogisticRegression: ")


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_extreme_weights_keep_their_proportions(scale):
    weights = np.array([1.0, 3.0, 0.0]) * scale
    scaled = unit_weights(weights)
    assert np.isfinite((scaled**2).sum())
    np.testing.assert_array_equal(scaled[1] / scaled[0], weights[1] / weights[0])


def test_balanced_counts_weights_where_scikit_learn_counts_rows():
    codes, w = np.array([0, 0, 1]), np.array([1.0, 1.0, 4.0])
    weighed = weigh_classes("Who", "balanced", codes, CLASSES, w)
    assert weighed[codes == 0].sum() == pytest.approx(weighed[codes == 1].sum())
    repeated = weigh_classes("Who", "balanced", np.array([0, 0, 1, 1, 1, 1]), CLASSES, None)
    assert weighed[2] == pytest.approx(repeated[2:].sum())


def test_class_weights_multiply_row_weights():
    w = weigh_classes("Who", {"b": 3.0}, np.array([0, 1]), CLASSES, np.array([2.0, 5.0]))
    assert w.tolist() == [2.0, 15.0]
    assert weigh_classes("Who", None, np.array([0, 1]), CLASSES, None) is None


@pytest.mark.parametrize(
    ("class_weight", "words"),
    [
        ({"c": 1.0}, "names 'c', which is not in y"),
        ({"a": -1.0}, "finite numbers >= 0; got -1.0"),
        ({"a": 0.0, "b": 0.0}, "every row with weight 0"),
    ],
)
def test_bad_class_weights_are_refused(class_weight, words):
    with pytest.raises(ParameterError, match=words):
        class_weights("Who", class_weight, CLASSES, np.ones(2))


def test_several_outputs_multiply():
    codes = np.array([[0, 0], [1, 1]])
    both = [CLASSES, np.array([7, 8])]
    w = weigh_outputs("Who", [{"b": 2.0}, {8: 5.0}], codes, both, None)
    assert w.tolist() == [1.0, 10.0]
    with pytest.raises(ParameterError, match="an entry for each of the 2 outputs"):
        weigh_outputs("Who", {"b": 2.0}, codes, both, None)


def test_a_class_too_light_to_be_balanced_is_refused():
    w = np.array([5e-324, 1.0, 1.0])
    tree = gramian.DecisionTreeClassifier(class_weight="balanced")
    message = r"TreeClassifier: class_weight='balanced' .* class 0 .* Pass"
    with pytest.raises(ValueError, match=message):
        tree.fit([[0.0], [1.0], [2.0]], [0, 1, 1], sample_weight=w)


def test_held_out_rows_need_weight():
    check_held_out("Any", None)
    check_held_out("Any", np.array([0.0, 1.0]))
    with pytest.raises(DataError, match="Any: sample_weight is 0 for all rows that were held out"):
        check_held_out("Any", np.zeros(2))
