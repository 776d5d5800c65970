"""Written dates and times."""

from collections import Counter
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.data.formats.dates import DateFormat, date_format, date_reader, read_date, read_time

DAY = datetime(2023, 1, 31)


@pytest.mark.parametrize(
    "text",
    [
        "2023-01-31", "2023/1/31", "31/01/2023", "31.1.23", "31 January 2023", "January 31, 2023",
        "Jan. 31 2023", "31st of January 2023", "Tuesday, 31 January 2023", "31-Jan-23",
        "31. Januar 2023", "31 janvier 2023", "31 de enero de 2023", "2023 Jan 31", "20230131",
        "January 31, 2023 at 12:00 AM", "2023-01-31 00:00:00",
        "2023-01-31T00:00Z", "2023-01-31T02:00:00+02:00",
    ],
)  # fmt: skip
def test_one_day_written_in_many_ways(text):
    assert read_date(text, "day") == DAY


@pytest.mark.slow
@given(st.datetimes(datetime(1970, 1, 1), datetime(2060, 1, 1)))
def test_dates_that_python_writes_are_read_back(moment):
    minute = moment.replace(second=0, microsecond=0)
    assert read_date(moment.isoformat()) == moment
    assert read_date(minute.strftime("%m/%d/%Y %I:%M %p"), "month") == minute
    assert read_date(minute.strftime("%d/%m/%y %H:%M"), "day") == minute
    assert read_date(minute.strftime("%a, %d %b %Y %H:%M"), "day") == minute


@pytest.mark.parametrize(
    "text", ["", "31", "2023", "12.5", "31/31/2023", "oak 12, 2023", "2023-02-30", "1-2-3", "7:30"]
)
def test_what_is_no_date(text):
    assert read_date(text, "day") is None
    assert read_date(text, "month") is None


def test_the_whole_column_decides_what_comes_first():
    assert date_format(Counter(["01/02/2023", "31/01/2023"])) == DateFormat("day")
    assert date_format(Counter(["01/02/2023", "01/31/2023"])) == DateFormat("month")
    assert date_format(Counter(["01.02.2023"])) == DateFormat("day", ambiguous=True)
    assert date_format(Counter(["01/02/2023"])) == DateFormat("month", ambiguous=True)
    assert date_format(Counter(["01/02/2023"]), hint="day") == DateFormat("day")
    assert date_format(Counter(["2023-01-02"])) == DateFormat("month")
    assert date_reader(DateFormat("day"))("01/02/2023") == datetime(2023, 2, 1)


@pytest.mark.parametrize(
    ("text", "hours"),
    [("14:30", 14.5), ("14:30 Uhr", 14.5), ("14:30h", 14.5),
     ("2:30 PM", 14.5), ("12:15 a.m.", 0.25), ("7 pm", 19), ("30:00", 30),
     ("1:00:36", 1.01), ("14:75", None), ("14", None), ("13:00 PM", None)],
)  # fmt: skip
def test_times_are_hours(text, hours):
    assert read_time(text) == (None if hours is None else pytest.approx(hours))
