"""CSV and similar files."""

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
