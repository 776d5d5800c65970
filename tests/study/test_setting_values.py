"""Values of settings are checked and brought into one form."""

import numpy as np
import pytest

from gramian.base.errors import ParameterError
from gramian.study import Settings
from gramian.study.setting_values import number_of_bytes, seconds, text, texts
from gramian.study.settings import check_setting_names


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("90", 90), ("90s", 90), ("1.5m", 90), (" 2H ", 7200), (30, 30), (np.float32(2), 2),
        (None, None), ("none", None),
    ],
)  # fmt: skip
def test_times(value, expected):
    assert seconds("budget", value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("512", 512), ("2kB", 2000), ("1.5 GB", 1_500_000_000), ("4GiB", 4 * 10**9), (10, 10),
        (None, None),
    ],
)  # fmt: skip
def test_amounts_of_memory(value, expected):
    assert number_of_bytes("memory", value) == expected


@pytest.mark.parametrize("value", ["", "soon", "-5m", "5 days", "m", "0", 0, -1, np.nan, True, []])
def test_no_time_and_no_amount(value):
    with pytest.raises(ParameterError, match=r"^budget must be a time above 0"):
        seconds("budget", value)
    with pytest.raises(ParameterError, match=r"^memory must be an amount"):
        number_of_bytes("memory", "lots" if value == "5 days" else value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("evals", "3", "an integer of at least 1; got '3'"),
        ("evals", 2.5, "an integer of at least 1; got 2.5"),
        ("evals", 0, "an integer of at least 1; got 0"),
        ("seed", "a", "an integer of at least 0; got 'a'"),
        ("seed", -1, "an integer of at least 0; got -1"),
        ("alpha", "x", "between 0 and 1; got 'x'"),
        ("test_size", 1.0, "between 0 and 1; got 1.0"),
        ("target", 3, "a string; got 3"),
        ("metric", 3, "a string; got 3"),
        ("groups", ["a"], r"a string; got \['a'\]"),
        ("models", (3,), r"a list of strings; got \(3,\)"),
        ("models", (), "name at least one"),
        ("drop", 5, "a list of strings; got 5"),
        ("costs", "a", "a square table of numbers"),
        ("costs", [[0, 1]], "a square table of numbers"),
        ("costs", [[0, "1"], [1, 0]], "a square table of numbers"),
        ("reject", "a", "a finite number >= 0; got 'a'"),
        ("reject", -1, "a finite number >= 0; got -1"),
        ("reject", np.nan, "a finite number >= 0; got nan"),
        ("memory", -5, "an amount such as 500MB"),
        ("budget", np.nan, "a time above 0"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_the_setting(name, value, message):
    with pytest.raises(ParameterError, match=f"^{name} must (be )?{message}"):
        Settings(**{"target": "y", name: value})


def test_values_have_one_form():
    settings = Settings(
        models="Ridge",
        drop=["a", "b"],
        budget="1m",
        memory="1MB",
        costs=np.eye(2),
        evals=np.int8(3),
    )
    assert settings.models == texts("models", ["Ridge"]) == ("Ridge",)
    assert settings.drop == ("a", "b")
    assert (settings.budget, settings.memory, settings.evals) == (60.0, 10**6, 3)
    assert settings.costs == ((1.0, 0.0), (0.0, 1.0))
    assert text("metric", None) is None
    assert Settings.of(settings.plain()) == settings


def test_a_misspelt_setting_gets_a_suggestion():
    with pytest.raises(
        TypeError, match=r"^f: there is no setting 'budgett'; did you mean 'budget'"
    ):
        check_setting_names("f", ["seed", "budgett"])
    with pytest.raises(TypeError, match=r"no setting 'zzz'; the settings are target, labels"):
        check_setting_names("f", ["zzz"])
