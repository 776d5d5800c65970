"""What JSON cannot hold becomes null, wherever it is."""

import json

import numpy as np

from gramian.study.json_values import finite


def test_numbers_that_are_not_finite_become_none():
    value = {"a": [1.0, float("nan"), (float("-inf"), "nan")], "b": {"c": np.float64("inf")}}
    assert finite(value) == {"a": [1.0, None, [None, "nan"]], "b": {"c": None}}
    assert json.dumps(finite(value), allow_nan=False)


def test_other_values_stay():
    value = {"text": "x", "flag": True, "none": None, "count": 3, "number": -0.5}
    assert finite(value) == value
