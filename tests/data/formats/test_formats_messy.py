"""The forty messy columns are read as what they say, from every kind of file and frame."""

import io
import math
from datetime import date, datetime

import pytest

from gramian.data import infer_kinds, parse_table
from gramian.data.formats.parsing import parse_columns
from gramian.data.reading import loaded_table
from tests.data.messy import MESSY, QUIET, columns, truth
from tests.data.workbook import workbook

pl = pytest.importorskip("polars")


def csv_file():
    return parse_table(pl.DataFrame(columns()).write_csv().encode(), "t.csv")


def parquet_file():
    file = io.BytesIO()
    pl.DataFrame(columns()).write_parquet(file)
    return parse_table(file.getvalue(), "t.parquet")


def xlsx_file():
    frame = pl.DataFrame(columns())
    rows = [["" if v is None else v for v in row] for row in frame.rows()]
    return parse_table(workbook([frame.columns, *rows]), "t.xlsx")


def pandas_frame():
    return loaded_table(pytest.importorskip("pandas").DataFrame(columns()))


def polars_frame():
    return loaded_table(pl.DataFrame(columns()))


def arrow_frame():
    return loaded_table(pl.DataFrame(columns()).to_arrow())


SOURCES = [csv_file, parquet_file, xlsx_file, pandas_frame, polars_frame, arrow_frame]


@pytest.fixture(scope="module", params=SOURCES, ids=lambda source: source.__name__)
def table(request):
    return request.param()


def plain(value):
    """A value of any library as Python's own."""
    value = value.as_py() if hasattr(value, "as_py") else value
    if value is None or value != value:
        return None
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else value


def test_there_are_forty():
    assert len(MESSY) == 40


@pytest.mark.parametrize("name", MESSY)
def test_kind_and_values(table, name):
    assert infer_kinds(table.frame)[name].kind == MESSY[name][1]
    found = [plain(v) for v in table.frame[name]]
    for value, expected in zip(found, truth(name), strict=True):
        if isinstance(expected, int | float):
            assert math.isclose(value, expected, rel_tol=1e-12), (value, expected)
        else:
            assert value == expected


def test_every_reading_is_said(table):
    noted = {name for name in MESSY if any(repr(name) in note for note in table.notes)}
    assert noted >= MESSY.keys() - QUIET - {"commas"}
    assert "numbers have decimal commas" in table.notes


def test_the_strings_of_a_frame_have_the_kinds_of_the_file():
    frame = pl.DataFrame(columns())
    assert {n: k.kind for n, k in infer_kinds(frame).items()} == {
        name: kind for name, (_, kind, _) in MESSY.items()
    }


def test_reading_again_changes_nothing(table):
    again = parse_columns(table.frame)
    pairs = [(table.frame[name], again.frame[name]) for name in MESSY]
    assert all([plain(v) for v in a] == [plain(v) for v in b] for a, b in pairs)
