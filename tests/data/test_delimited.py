"""CSV and similar files."""

import pytest

from gramian.base.errors import DataError
from gramian.data import parse_table


def test_missing_values_have_several_spellings():
    text = "a,b\n1,x\nNA,?\n,\nnan,y\n3,NULL\n"
    frame = parse_table(text.encode(), "t").frame
    assert frame["a"].to_list() == [1, None, None, None, 3]
    assert frame["b"].to_list() == ["x", None, None, "y", None]


def test_dates_are_dates():
    text = "day,at\n2026-01-02,2026-01-02T03:04:05\n2026-02-03,2026-02-03T04:05:06\n"
    frame = parse_table(text.encode(), "t").frame
    assert [kind.is_temporal() for kind in frame.dtypes] == [True, True]


def test_commas_inside_quotes_do_not_separate():
    frame = parse_table(b'a,b\n"x, y",1\n"z\nz",2\n', "t").frame
    assert frame["a"].to_list() == ["x, y", "z\nz"]


def test_a_first_line_of_numbers_is_no_header():
    table = parse_table(b"1,2\n3,4\n5,6\n", "t")
    assert table.frame.columns == ["column_1", "column_2"]
    assert table.frame.height == 3
    assert "no header line" in table.notes[0]


def test_long_lines_are_named_with_their_fields():
    with pytest.raises(DataError, match=r"line 4 has 3 fields; the header has 2 \(and 1 more line"):
        parse_table(b'a,b\n"x\ny",2\n1,2,3\n4,5,6\n', "t")


def test_short_lines_are_filled_and_said():
    table = parse_table(b"a,b,c\n1,2,3\n4\n\n5,6\n", "t")
    assert table.frame.rows() == [(1, 2, 3), (4, None, None), (5, 6, None)]
    assert table.notes == [
        "1 empty line dropped",
        "line 3 has 1 field; the header has 3 (and 1 more line like it)",
    ]


def test_separators_at_the_end_are_no_column():
    table = parse_table(b"a,b,\n1,2,\n3,4,\n", "t")
    assert table.frame.rows() == [(1, 2), (3, 4)]
    assert parse_table(b"a,b\n1,2,\n3,4,\n", "t").frame.rows() == [(1, 2), (3, 4)]


def test_names_of_rows_without_a_heading():
    table = parse_table(b'"size","kind"\n"one",1,"ash"\n"two",2,"oak"\n', "t")
    assert table.frame.columns == ["row", "size", "kind"]


def test_duplicate_names_are_changed_and_said():
    table = parse_table(b"a,a,b\n1,2,3\n", "t")
    assert table.frame.columns == ["a", "a_2", "b"]
    assert table.notes == ["column 2 is also named 'a'; it is called 'a_2'"]


def test_titles_above_the_table_are_skipped():
    lines = [f"{i},{i + 1},x" for i in range(20)]
    text = "Sales of 2023\n\na,b,c\n" + "\n".join(lines)
    table = parse_table(text.encode(), "t")
    assert table.frame.shape == (20, 3)
    assert table.frame.columns == ["a", "b", "c"]
    assert table.notes == ["2 lines above the table skipped: 'Sales of 2023'"]
    with pytest.raises(DataError, match="line 24 has 4 fields; the header has 3"):
        parse_table(f"{text}\n1,2,3,4\n".encode(), "t")


def test_lines_of_many_characters():
    """A line read with another separator is one field, longer than Python's reader takes."""
    names = [f"column number {i} {'x' * 300}" for i in range(500)]
    table = parse_table(f"{','.join(names)}\n{','.join('1' for _ in names)}\n".encode(), "t")
    assert table.frame.shape == (1, 500)
