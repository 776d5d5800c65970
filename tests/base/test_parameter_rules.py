"""Rules of parameters: what they accept, and how they are worded."""

from numbers import Integral, Real

import numpy as np
import pytest

from gramian.base.parameter_rules import (
    Instance,
    Interval,
    IsArray,
    IsFunction,
    IsJobs,
    IsLearner,
    OneOf,
    any_of,
    hint,
    plain_type,
    shown,
)


@pytest.mark.parametrize("value", [0.5, 1.0, np.float32(0.5), np.float64(1)])
def test_a_fraction_beside_a_count_takes_no_integers(value):
    count, fraction = Interval(Integral, 2), Interval(float, 0, 1, open_low=True)
    assert fraction.accepts(value)
    assert not count.accepts(value)
    for one in (1, np.int64(1), True, np.True_):
        assert not fraction.accepts(one)
        assert not count.accepts(one)


def test_the_range_of_seeds_is_readable():
    assert str(Interval(Integral, 0, 2**64 - 1)) == "an integer in [0, 2**64 - 1]"
    assert str(Interval(Integral, 0, 9)) == "an integer in [0, 9]"


def test_float32_is_compared_with_ends_that_it_cannot_hold():
    assert Interval(Real, 0, 1e100).accepts(np.float32(0.5))


def test_alternatives_are_merged_into_one_list_that_ends_with_none():
    rule = any_of(
        [OneOf((None,)), OneOf(("auto",)), any_of([Interval(Integral, 1), OneOf(("all",))])]
    )
    assert str(rule) == "one of 'auto', 'all' or an integer >= 1 or None"
    assert [rule.accepts(v) for v in ("all", 1, None, 0, "some")] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Interval(Real, 0), "float"),
        (Interval(Integral, 0), "int"),
        (Instance((bool, np.bool_), "True or False"), "bool"),
        (OneOf(("a", None)), "'a' | None"),
        (any_of([IsJobs(), OneOf((None,))]), "int | None"),
        (IsFunction(), "callable"),
        (IsArray(), "array"),
        (IsLearner(), "estimator"),
    ],
)
def test_the_plain_type_is_a_word_or_two(rule, words):
    assert plain_type(rule) == words


def test_shown_values_are_short():
    assert shown("a" * 300) == f"'{'a' * 199}..."
    assert shown(10**5000) == "an integer of about 5001 digits"


def test_a_hint_names_the_nearest_value():
    assert hint(OneOf(("newton", "adam")), "nwton") == " Did you mean 'newton'?"
    assert hint(OneOf(("newton", "adam")), "zzz") == ""
    assert hint(Interval(Integral, 1), 2**70).startswith(" Use an integer below 2**63")
