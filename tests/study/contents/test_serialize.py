"""Dataclasses to JSON and back."""

import math
from dataclasses import dataclass

import pytest

from gramian.base.errors import DataError
from gramian.study.contents.serialize import hints_of, json_name, plain, typed


@dataclass(frozen=True)
class Small:
    """A part."""

    class_: int
    low: float | None = None


@dataclass(frozen=True)
class Large:
    """A whole."""

    parts: dict[str, Small]
    values: tuple[float, ...] | tuple[str, ...]
    pair: tuple[int, str]
    score: float


LARGE = Large({"a": Small(1, 0.5), "b": Small(2)}, ("x", "y"), (1, "z"), 1.0)


def test_a_value_is_read_back():
    assert plain(LARGE)["parts"] == {"a": {"class": 1, "low": 0.5}, "b": {"class": 2, "low": None}}
    assert typed(Large, plain(LARGE), "large") == LARGE
    assert json_name("from_") == "from"
    assert list(hints_of(Small)) == ["class_", "low"]


def test_numbers_that_are_not_finite_are_null():
    written = plain(Small(1, math.inf)) | {"class": 1}
    assert written["low"] is None
    assert typed(Small, written, "s").low is None
    assert math.isnan(typed(Large, {**plain(LARGE), "score": None}, "large").score)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": "high"}, "large.score must be a number; got 'high'"),
        ({"score": True}, "large.score must be a number; got True"),
        ({"pair": [1]}, "large.pair must be a list of 2"),
        ({"pair": [1.5, "z"]}, r"large.pair\[0\] must be a whole number"),
        ({"parts": {"a": {"class": 1}}}, "large.parts.a.low: the field is missing"),
        ({"parts": {"a": []}}, "large.parts.a must be an object"),
        ({"parts": []}, "large.parts must be an object"),
        ({"values": [1.0, "a"]}, r"large.values\[0\] must be a text"),
        ({"values": 3}, "large.values must be a list"),
        ({"more": 1}, "large.more: there is no such field"),
    ],
)
def test_an_error_names_the_path(change, message):
    with pytest.raises(DataError, match=message):
        typed(Large, {**plain(LARGE), **change}, "large")
