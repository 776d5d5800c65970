"""Written numbers."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.data.formats.numbers import NumberFormat, number_format, number_reader, split_number


@pytest.mark.parametrize(
    "text",
    [
        "A17",
        "12-34",
        "1,2,3",
        "192.168.0.1",
        "10:30",
        "12.5.2023",
        "(5",
        "$5 €",
        "five",
        "1 23",
        "",
    ],
)
def test_what_is_no_number(text):
    readers = [number_reader(NumberFormat(mark, "")) for mark in ".,"]
    assert [read(text) for read in readers] == [None, None]


@given(st.integers(-(10**9), 10**9), st.integers(0, 99))
def test_numbers_of_both_conventions_are_read_back(whole, cents):
    """What Python writes with thousands separators is read as the number written."""
    value = float(f"{whole}.{cents:02d}")
    american = f"{value:,.2f}"
    european = american.translate(str.maketrans(",.", ".,"))
    assert number_reader(NumberFormat(".", ""))(american) == pytest.approx(value)
    assert number_reader(NumberFormat(",", ""))(european) == pytest.approx(value)


def test_the_decimal_mark_matches_the_column():
    assert number_format(Counter(["1,234", "12,5"])).decimal == ","
    assert number_format(Counter(["1,234", "12.5"])).decimal == "."
    assert number_format(Counter(["0,123", "1,234"])).decimal == ","  # no group begins with 0
    ambiguous = Counter(["1,234", "5,678"])
    assert number_format(ambiguous) == NumberFormat(".", "", ambiguous=True)
    assert number_format(ambiguous, hint=",") == NumberFormat(",", "", ambiguous=True)


def test_units_must_agree():
    assert number_format(Counter(["5 kg", "300 g"])).unit == "kg"
    assert number_format(Counter(["5 kg", "3 cm"])) is None
    assert number_format(Counter(["$5", "€3"])) is None
    assert number_format(Counter(["5 m", "3 km"])).unit == "m"  # metres
    assert number_format(Counter(["$5m", "$3k"])).unit == "$"  # millions


def test_an_integer_stays_exact():
    read = number_reader(NumberFormat(".", ""))
    assert read("9,007,199,254,740,993") == 9_007_199_254_740_993
    assert isinstance(read("12"), int)


def test_a_unit_of_another_kind_is_not_read():
    read = number_reader(NumberFormat(".", "kg"))
    assert [read("5 kg"), read("5"), read("5 cm"), read("5 %")] == [5, 5, None, None]
    read = number_reader(NumberFormat(".", "%"))
    assert [read("5 %"), read("5")] == [0.05, None]


def test_parts():
    assert split_number("US$ 1,200.50-").negative
    assert split_number("12 m²").unit == "m²"
