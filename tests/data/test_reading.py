"""Every kind of file, packed or not, gives the same table; what is no table is said so."""

import gzip
import io
import zipfile

import pytest

from gramian.base.errors import DataError
from gramian.data import parse_table, read_table
from gramian.data.reading import loaded_table
from tests.data.workbook import workbook

pl = pytest.importorskip("polars")

ROWS = [["Köln", 1.5, 3], ["Århus", 2.5, 4], ["Nîmes", -0.5, 5]]
CSV = "city,x,n\n" + "".join(f"{c},{x},{n}\n" for c, x, n in ROWS)


def parquet() -> bytes:
    file = io.BytesIO()
    pl.DataFrame(ROWS, schema=["city", "x", "n"], orient="row").write_parquet(file)
    return file.getvalue()


ARFF = (
    "% cities\n@relation cities\n@attribute city string\n@attribute x numeric\n"
    "@attribute n numeric\n@data\n" + "".join(f"{c},{x},{n}\n" for c, x, n in ROWS)
)

FILES = {
    "cities.csv": CSV.encode(),
    "cities.tsv": CSV.replace(",", "\t").encode(),
    "cities.txt": CSV.replace(",", "|").encode(),
    "crlf.csv": CSV.replace("\n", "\r\n").encode(),
    "semicolons.csv": CSV.replace(",", ";").replace(".", ",").encode(),
    "mark.csv": CSV.encode("utf-8-sig"),
    "latin.csv": CSV.encode("latin-1"),
    "sixteen.csv": CSV.encode("utf-16"),
    "sixteen-no-mark.csv": CSV.encode("utf-16-le"),
    "sixteen-big.csv": CSV.encode("utf-16-be"),
    "cities.csv.gz": gzip.compress(CSV.encode()),
    "cities.parquet": parquet(),
    "cities.parquet.gz": gzip.compress(parquet()),
    "cities.xlsx": workbook([["city", "x", "n"], *ROWS]),
    "cities.arff": ARFF.encode(),
    "cities.arff.gz": gzip.compress(ARFF.encode()),
}


@pytest.mark.parametrize("name", FILES)
def test_every_file_gives_the_same_table(name, tmp_path):
    (tmp_path / name).write_bytes(FILES[name])
    table = read_table(tmp_path / name)
    assert table.frame.columns == ["city", "x", "n"]
    assert table.frame["city"].cast(pl.String).to_list() == [row[0] for row in ROWS]
    assert table.frame["x"].to_list() == [row[1] for row in ROWS]
    assert table.frame["n"].to_list() == [row[2] for row in ROWS]
    assert table.name == name.partition(".")[0]
    assert len(table.sha256) == 64


def test_the_notes_say_what_was_assumed():
    assert parse_table(FILES["latin.csv"], "t").notes == ["read as Latin-1"]
    assert parse_table(FILES["semicolons.csv"], "t").notes == [
        "columns are separated by semicolons",
        "numbers have decimal commas",
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (gzip.compress(b""), "empty"),
        (b"a,b\n", "no rows"),
        (bytes(range(256)) * 40, "neither text nor"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(100), "neither text nor"),
        (gzip.compress(CSV.encode())[:-9], "gzip"),
        (parquet()[:100], "cannot be read"),
        (FILES["cities.xlsx"][:400], "cannot be read"),
        (b"a,b\n1,2,3,4\n5\n", "line 2 has 4 fields; the header has 2"),
        (b"@relation r\n@attribute a numeric\n@data\nx\n", "not a value"),
    ],
    ids=[
        "nothing",
        "blanks",
        "empty-gzip",
        "header-only",
        "bytes",
        "png",
        "cut-gzip",
        "cut-parquet",
        "cut-xlsx",
        "ragged",
        "bad-arff",
    ],
)
def test_what_is_no_table_is_refused_in_one_sentence(data, words, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(DataError, match=words):
        read_table(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(DataError, match="folder"):
        read_table(tmp_path)


def test_a_sheet_is_chosen_by_name():
    book = workbook([["a", "a"], [1, 2]], two=[["b"], ["x"], ["y"]])
    table = parse_table(book, "t.xlsx")
    assert table.frame.columns == ["a", "a_2"]
    assert table.sheet == "one"
    assert table.notes == [
        "read sheet 'one', the first; the others are 'two'",
        "column 2 is also named 'a'; it is called 'a_2'",
    ]
    table = parse_table(book, "t.xlsx", sheet="two")
    assert (table.frame.columns, table.notes) == (["b"], [])
    with pytest.raises(DataError, match="no sheet 'three'; its sheets are 'one', 'two'"):
        parse_table(book, "t.xlsx", sheet="three")
    with pytest.raises(DataError, match=r"sheet: t\.csv has no sheets"):
        parse_table(CSV.encode(), "t.csv", sheet="one")


def test_strings_can_be_left_as_they_are():
    table = parse_table(b"x,y\n007,$5\n", "t", parse=False)
    assert table.frame.rows() == [("007", "$5")]
    assert table.formats == {}
    assert loaded_table(table).frame.rows() == [(7, 5)]


def test_devices_are_refused():
    with pytest.raises(DataError, match="/dev/zero: a table must be a file or a pipe"):
        read_table("/dev/zero")


def test_gzip_and_workbooks_that_grow_beyond_reason_are_refused(monkeypatch, tmp_path):
    monkeypatch.setattr("gramian.data.reading._LEAST_LIMIT", 10_000)
    table = b"a,b\n" + b"1,2\n" * 1_000_000
    with pytest.raises(DataError, match="decompress the file first"):
        parse_table(gzip.compress(table), "t.csv.gz")
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/worksheets/sheet1.xml", table)
    with pytest.raises(DataError, match="save the sheet as CSV"):
        read_table(tmp_path / "t.xlsx")
