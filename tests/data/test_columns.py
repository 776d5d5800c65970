"""Columns of any frame become numbers, labels and parts of dates."""

import datetime

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.data.columns import check_frame, dates_of, labels_of, numbers_of, with_string_names

pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")


def frames(columns):
    return [check_frame("test", make(columns)) for make in (pl.DataFrame, pd.DataFrame)]


def test_numbers_that_cannot_be_read_are_missing():
    columns = {"flag": [True, False, True], "text": ["1.5", "much", None], "x": [1.0, -np.inf, 3.0]}
    for frame in frames(columns):
        found = numbers_of(frame, ["x", "text", "flag"])
        expected = [[1.0, 1.5, 1.0], [np.nan, np.nan, 0.0], [3.0, np.nan, 1.0]]
        np.testing.assert_array_equal(found, expected)


def test_one_label_has_many_types():
    labels = [["1", "2", None], ["true", "false", None], ["1.5", "2", None]]
    columns = [[1, 2, None], [True, False, None], [1.5, 2.0, None]]
    for values, expected in zip(columns, labels, strict=True):
        for frame in frames({"c": values}):
            assert labels_of(frame["c"]) == expected
    assert labels_of(pd_series(["a", np.nan])) == ["a", None]


def pd_series(values):
    return check_frame("test", pd.DataFrame({"c": values}))["c"]


def test_parts_of_a_date():
    """12 November 2026, 18:00, was a Thursday, 20,769.75 days after the start of 1970."""
    time = datetime.datetime(2026, 11, 12, 18)
    days = (time - datetime.datetime(1970, 1, 1)) / datetime.timedelta(days=1)
    for values in ([time, None], [time.isoformat(), "soon"]):
        for frame in frames({"at": values}):
            found = dates_of(frame["at"])
            np.testing.assert_array_equal(found[0], [days, 11, 3, 18])
            assert np.isnan(found[1]).all()


def test_names_become_strings_and_the_table_keeps_its_own():
    table = pd.DataFrame([[1.0, 2.0]], columns=[7, "x"])
    assert with_string_names("test", table).columns == ["7", "x"]
    assert list(table.columns) == [7, "x"]
    with pytest.raises(DataError, match=r"Owner: .* got 2 named '7'"):
        with_string_names("Owner", table.set_axis([7, "7"], axis=1))


def test_what_is_no_frame_comes_back_or_is_refused():
    rows = [[1.0]]
    assert with_string_names("Owner", rows) is rows
    with pytest.raises(TypeError, match=r"Owner: table must be a frame .* got list"):
        check_frame("Owner", rows)


def test_labels_of_nullable_columns_and_of_numpys_numbers():
    column = check_frame("test", pd.DataFrame({"a": [np.float64(2), pd.NA, "a"]}))["a"]
    assert labels_of(column) == ["2", None, "a"]


def test_times_of_a_zone_match_utc():
    times = pd.to_datetime(["2026-01-01 01:00"]).tz_localize("Europe/Paris")
    found = dates_of(check_frame("test", pd.DataFrame({"t": times}))["t"])
    assert found[0].tolist() == [20454.0, 1.0, 3.0, 0.0]
