"""Rows in memory, as a study takes them."""

from gramian.study.rows import FrameRows, rows_of
from tests.study.tables import mixed


def test_a_frame_becomes_rows_that_hold_nothing_out_and_refuse_no_model():
    rows = rows_of(mixed())
    assert isinstance(rows, FrameRows)
    assert len(rows.table.frame) == len(mixed())
    assert rows.held_out is None
    assert rows.why_not("KNeighborsClassifier") is None
    assert rows.counts() == {}
    assert rows_of(rows) is rows
