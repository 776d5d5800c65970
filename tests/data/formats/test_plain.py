"""Plain numbers are cast column by column or all at once, with the same result."""

import pytest

from gramian.data.columns import check_frame
from gramian.data.formats.plain import cast_columns, matching_columns, plain_numbers

pl = pytest.importorskip("polars")

FRAME = pl.DataFrame(
    {
        "whole": ["1", "-20", None],
        "parts": ["1.5", "2", "-3e2"],
        "marks": ["1", "N/A", "2"],
        "words": ["1", "two", "3"],
        "nothing": pl.Series([None, None, None], dtype=pl.String),
        "long": ["12345678901234567890", "1", "2"],
    }
)


def test_all_at_once_and_one_by_one_are_the_same():
    frame = check_frame("test", FRAME)
    found = cast_columns(frame, set())
    assert set(found) == {"whole", "parts", "nothing", "long"}
    for name, column in found.items():
        alone, marks = plain_numbers(frame[name])
        assert marks == {}
        assert column.dtype == alone.dtype
        assert column.to_list() == alone.to_list()


def test_marks_of_missing_values_are_counted_and_words_are_no_numbers():
    frame = check_frame("test", FRAME)
    column, marks = plain_numbers(frame["marks"])
    assert (column.to_list(), marks) == ([1, None, 2], {"N/A": 1})
    assert plain_numbers(frame["words"]) == (None, {})


def test_padded_columns_are_left_and_pandas_is_cast_one_by_one():
    assert set(cast_columns(check_frame("test", FRAME), {"whole"})) == {"parts", "nothing", "long"}
    assert cast_columns(check_frame("test", FRAME.to_pandas()), set()) == {}


def test_columns_that_match_wholly_or_somewhere():
    frame = check_frame("test", FRAME)
    assert matching_columns(frame, r"^\d$") == {"nothing"}
    assert matching_columns(frame, r"N/A", any_of=True) == {"marks"}
    assert matching_columns(check_frame("test", pl.DataFrame({"x": [1]})), "1") == set()
