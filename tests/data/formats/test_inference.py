"""The format of a column follows from all of its values."""

from collections import Counter

import pytest

from gramian.data.formats.inference import (
    Hints,
    infer_format,
    is_day,
    looks_like_values,
    reader_of,
    unread_note,
)


def many(*values):
    """Thirty numbers, and some other values."""
    return Counter([*(f"{i}.5" for i in range(100)), *values])


def test_a_few_values_that_are_no_numbers_become_missing_and_are_counted():
    found = infer_format("x", many("cheap", "dear", "dear", "-"))
    assert found.format["kind"] == "number"
    assert found.notes == [
        "'-' in 'x' treated as missing (1 value)",
        "3 values of 'x' are not numbers and are treated as missing: 'cheap', 'dear'",
    ]


def test_with_few_distinct_values_all_must_be_numbers():
    values = Counter({**{str(i): 50 for i in range(5)}, "5 or more rooms": 1})
    assert infer_format("x", values).format == {"kind": "text"}


def test_words_are_no_numbers():
    assert infer_format("x", Counter(["ash", "oak 12"])).notes == []
    assert infer_format("x", many(*(f"word {i}" for i in range(9)))).format["kind"] == "text"


def test_ambiguous_dates_are_said_to_be_a_guess():
    (note,) = infer_format("d", Counter(["01/02/2023", "03/04/2023"])).notes
    assert note == (
        "'d' is read as dates, month first (a guess: no day is above 12): "
        "'01/02/2023' is 2023-01-02"
    )
    (note,) = infer_format("d", Counter(["01/02/2023"]), Hints(first="day")).notes
    assert note == "'d' is read as dates, day first: '01/02/2023' is 2023-02-01"


def test_dates_of_two_orders_are_not_read():
    found = infer_format("d", Counter(["31/01/2023", "01/31/2023"]))
    assert found.format == {"kind": "text"}
    assert found.notes == ["'d' has dates in several formats and is read as categories"]


def test_codes_keep_their_zeros_unless_all_differ():
    assert infer_format("zip", Counter({"02139": 3, "10001": 2})).format == {"kind": "text"}
    assert infer_format("row", Counter(["0001", "0002", "0003"])).format["kind"] == "number"
    assert infer_format("month", Counter({"01": 3, "12": 4})).format["kind"] == "number"


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        ({"kind": "number"}, "1,200", 1200),
        ({"kind": "time"}, "7:30", 7.5),
        ({"kind": "boolean", "true": "J", "false": "N"}, "yes", "J"),
        ({"kind": "text"}, " ash ", "ash"),
    ],
)
def test_readers(form, text, value):
    assert reader_of(form)(text) == value


def test_marks_among_booleans_are_missing():
    found = infer_format("b", Counter(["ja", "nein", "Ja", "k.A."]))
    assert found.format["kind"] == "boolean"
    assert found.notes[-1] == "'k.A.' in 'b' treated as missing (1 value)"


def test_small_things():
    assert looks_like_values(["$5", "€7", "31/31/2023 "] * 3) is False
    assert looks_like_values(["$5", "€7"])
    assert is_day("20240229")
    assert not is_day("20230229")
    assert "1 value of 'x' is not a date and is" in unread_note("x", "dates", {"soon": 1})
