"""Columns of strings get types; formats found in one table read another."""

import datetime

import pytest

from gramian.data.formats.parsing import apply_formats, infer_formats, parse_columns

pl = pytest.importorskip("polars")


def test_other_columns_decide_what_is_ambiguous():
    frame = pl.DataFrame(
        {
            "dots": ["1.234", "5.678"],
            "commas": ["1,5", "22,75"],
            "slashes": ["01/02/2023", "03/04/2023"],
            "days": ["31/01/2023", "01/02/2023"],
        }
    )
    found = parse_columns(frame)
    assert found.frame["dots"].to_list() == [1234, 5678]
    assert found.frame["slashes"].to_list()[0] == datetime.date(2023, 2, 1)
    alone = parse_columns(frame.select("dots", "slashes"))
    assert alone.frame["dots"].to_list() == [1.234, 5.678]
    assert alone.frame["slashes"].to_list()[0] == datetime.date(2023, 1, 2)


def test_the_format_of_fit_reads_new_values():
    old = pl.DataFrame({"d": ["31/01/2023"] * 3, "x": ["1.234,5", "2,5", "3"]})
    new = pl.DataFrame({"d": ["01/02/2023", "1/2023/13"], "x": ["1.234", "7 kg"]})
    found = apply_formats(new, parse_columns(old).formats)
    assert found.frame["d"].to_list() == [datetime.date(2023, 2, 1), None]
    assert found.frame["x"].to_list() == [1234, None]
    assert found.notes == [
        "1 value of 'd' is not a date and is treated as missing: '1/2023/13'",
        "1 value of 'x' is not a number and is treated as missing: '7 kg'",
    ]


@pytest.mark.parametrize(
    ("first", "old", "new"), [("day", "31/01", "01/31"), ("month", "01/31", "31/01")]
)
def test_dates_in_the_other_order_than_in_training_are_all_read_in_it(first, old, new):
    """Read in the order of training, 01/02/2023 would be another day without a word."""
    formats = parse_columns(pl.DataFrame({"d": [f"{old}/2023", "01/02/2023"]})).formats
    assert formats["d"]["first"] == first
    found = apply_formats(pl.DataFrame({"d": [f"{new}/2023", "01/02/2023"]}), formats)
    day = datetime.date(2023, 1, 2) if first == "day" else datetime.date(2023, 2, 1)
    assert found.frame["d"].to_list() == [datetime.date(2023, 1, 31), day]
    (note,) = found.notes
    assert note.startswith(
        f"'d' has the {'month' if first == 'day' else 'day'} first (in training: "
    )
    assert formats["d"]["first"] == first


def test_one_odd_date_does_not_turn_the_others_round():
    formats = parse_columns(pl.DataFrame({"d": ["31/01/2023"] * 3})).formats
    new = pl.DataFrame({"d": ["01/02/2023"] * 9 + ["01/31/2023"]})
    found = apply_formats(new, formats)
    assert found.frame["d"].to_list() == [datetime.date(2023, 2, 1)] * 9 + [None]
    assert found.notes == ["1 value of 'd' is not a date and is treated as missing: '01/31/2023'"]
    both = pl.DataFrame({"d": ["31/01/2023", "01/31/2023", "01/02/2023"]})
    dates = apply_formats(both, formats).frame["d"].to_list()
    assert dates == [datetime.date(2023, 1, 31), None, datetime.date(2023, 2, 1)]


def test_plain_numbers_are_taken_as_they_are_whatever_the_format():
    old = pl.DataFrame(
        {"share": ["23%", "7 %"], "price": ["$1,200.50", "$3"], "anteil": ["1,5 %", "22,75 %"]}
    )
    new = pl.DataFrame(
        {
            "share": ["0.23", "0.0", "23%", "n/a", "7 kg"],
            "price": ["5", "2.5", "1e3", "$7", None],
            "anteil": ["0,23", "0.5", "50 %", "1", "much"],
        }
    )
    found = apply_formats(new, parse_columns(old).formats)
    assert found.frame["share"].to_list() == [0.23, 0.0, 0.23, None, None]
    assert found.frame["price"].to_list() == [5.0, 2.5, 1000.0, 7.0, None]
    assert found.frame["anteil"].to_list() == [0.23, 0.5, 0.5, 1.0, None]
    assert [note.rpartition(": ")[2] for note in found.notes] == ["'7 kg'", "'much'"]


def test_columns_with_types_stay_and_times_are_hours():
    frame = pl.DataFrame(
        {
            "x": [1.5, None],
            "flag": [True, False],
            "level": pl.Series(["1", "2"], dtype=pl.Enum(["1", "2"])),
            "at": [datetime.time(7, 30), None],
            "took": [datetime.timedelta(minutes=90), None],
        }
    )
    found = parse_columns(frame)
    assert found.frame.select("x", "flag", "level").equals(frame.select("x", "flag", "level"))
    assert found.frame["at"].to_list() == [7.5, None]
    assert found.frame["took"].to_list() == [1.5, None]
    assert found.formats.keys() == {"at", "took"}


def test_integers_that_are_days_are_dates():
    days = [20230131, 20230201, 20230301]
    found = parse_columns(pl.DataFrame({"day": days, "number": [20230131, 20230231, 20230301]}))
    assert found.frame["day"].to_list()[0] == datetime.date(2023, 1, 31)
    assert found.frame["number"].dtype == pl.Int64


def test_booleans_of_another_table_get_the_words_of_this_one():
    formats = parse_columns(pl.DataFrame({"b": ["Yes", "No"]})).formats
    found = apply_formats(pl.DataFrame({"b": [True, False, None]}), formats)
    assert found.frame["b"].to_list() == ["Yes", "No", None]


def test_objects_of_pandas_are_read():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": pd.Series([1.5, "2", "N/A", None], dtype=object)})
    found = parse_columns(frame)
    assert found.frame["x"].tolist()[:2] == [1.5, 2.0]
    assert found.frame["x"].isna().tolist() == [False, False, True, True]
    assert found.notes == ["'N/A' treated as missing: 1 value in 'x'"]


def test_formats_of_named_columns_only():
    frame = pl.DataFrame({"x": ["5 kg"], "y": ["7 kg"]})
    assert infer_formats(frame, ["x", "z"]).keys() == {"x"}


def test_percentages_and_plain_numbers_in_one_column_are_read_and_it_is_said():
    found = parse_columns(pl.DataFrame({"share": ["23%", "0.5", "7 %", "1", "0"]}))
    assert found.frame["share"].to_list() == [0.23, 0.5, 0.07, 1.0, 0.0]
    assert found.notes[-1] == ("'share' mixes percentages and plain numbers: '0.5' is read as 50 %")
    points = parse_columns(pl.DataFrame({"share": ["23%", "50", "7 %", "0", "99.5"]}))
    assert points.frame["share"].to_list() == [0.23, 0.5, 0.07, 0.0, 0.995]
    assert points.notes[-1].endswith("'50' is read as 50 %")
    new = pl.DataFrame({"share": ["12", "0.5 %", "n/a"]})
    assert apply_formats(new, points.formats).frame["share"].to_list() == [0.12, 0.005, None]
    assert apply_formats(new, found.formats).frame["share"].to_list() == [12.0, 0.005, None]


def test_percentages_beside_numbers_that_may_be_either_stay_categories_with_a_note():
    found = parse_columns(pl.DataFrame({"share": ["23%", "0.5", "50", "7 %"]}))
    assert found.frame["share"].to_list() == ["23%", "0.5", "50", "7 %"]
    assert found.notes == [
        "'share' has numbers in several units ('23%' and '0.5') and is read as categories"
    ]


def test_numbers_with_both_decimal_marks_stay_categories_and_it_is_said():
    found = parse_columns(pl.DataFrame({"x": ["1.234,5", "1,234.5", "2.345,5", "3,456.7"]}))
    assert found.notes == ["'x' has numbers in two formats and is read as categories"]


def test_a_column_that_is_nearly_of_numbers_says_why_it_is_not():
    values = [str(i) for i in range(80)] + ["many", "few"] * 10
    found = parse_columns(pl.DataFrame({"x": values, "street": [f"{i} Elm" for i in range(100)]}))
    assert found.frame["x"].dtype == pl.String
    assert (
        "'x' is read as categories, since 20 of 100 values are not numbers: 'few', 'many'"
        in found.notes
    )
