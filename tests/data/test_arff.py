import gzip

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gramian.base.errors import DataError
from gramian.data import read_arff

HEADER = [
    "% a comment",
    "@RELATION 'two words'",
    "",
    "@attribute 'wind speed' REAL",
    '@attribute outlook {sunny, "very rainy", it\\\'s}',
    "@attribute note string",
    "@attribute when date 'yyyy-MM-dd'",
    "@data",
]


def test_every_kind_of_column_is_read():
    table = read_arff([*HEADER, "5.5, 'very rainy', 'a, b\\n\\'c\\'', 2026-01-02", "?,?,?,?"])
    assert table.relation == "two words"
    assert [a.kind for a in table.attributes] == ["numeric", "nominal", "string", "date"]
    assert table.attributes[1].levels == ("sunny", "very rainy", "it's")
    assert_array_equal(table["wind speed"], [5.5, np.nan])
    assert_array_equal(table["outlook"], [1, -1])
    assert_array_equal(table.labels("outlook"), ["very rainy", None])
    assert table["note"].tolist() == ["a, b\n'c'", None]
    assert table["when"].tolist() == ["2026-01-02", None]
    assert_array_equal(table.matrix(["outlook", "wind speed"]), [[1, 5.5], [np.nan, np.nan]])


def test_a_quoted_question_mark_is_a_value_and_not_missing():
    table = read_arff(["@relation r", "@attribute a {'?',b}", "@data", "'?'", "?"])
    assert_array_equal(table["a"], [0, -1])


def test_sparse_rows_leave_out_zeros_and_first_levels():
    lines = ["@relation r", "@attribute a numeric", "@attribute b {p,q}", "@attribute c string"]
    table = read_arff([*lines, "@data", "{0 2.5, 1 q}", "{}", "{1 ?, 2 'some text'}"])
    assert_array_equal(table.matrix(["a", "b"]), [[2.5, 1], [0, 0], [0, np.nan]])
    assert table["c"].tolist() == ["", "", "some text"]


def test_rows_may_carry_weights():
    lines = ["@relation r", "@attribute a numeric", "@attribute b {p,q}", "@data"]
    assert_array_equal(read_arff([*lines, "1,p,{2.5}", "2,q"]).weights, [2.5, 1])
    sparse = read_arff([*lines, "{0 3}, {2}", "{1 q}"])
    assert_array_equal(sparse.weights, [2, 1])
    assert_array_equal(sparse.matrix(), [[3, 0], [0, 1]])


def test_frames_keep_levels_and_gaps():
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    table = read_arff([*HEADER, "1,sunny,x,2026-01-01", "?,?,?,?"])
    pandas, polars = table.to_pandas(), table.to_polars()
    assert list(pandas["outlook"].cat.categories) == ["sunny", "very rainy", "it's"]
    assert pandas.isna().sum().tolist() == [1, 1, 1, 1]
    assert polars.null_count().row(0) == (1, 1, 1, 1)
    assert polars["outlook"].to_list() == ["sunny", None]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["x,y", "1,2"], "line 1: expected @relation"),
        (["@relation r"], "no @data line"),
        (["@data", "1"], "line 1: there is no @attribute before"),
        (["@attribute a widget", "@data"], "line 1: the type 'widget' of 'a' is unknown"),
        (["@attribute a {x,x}", "@data"], "levels of 'a' must be distinct"),
        (["@attribute a real", "@data", "1,2"], "line 3: 1 values are declared; the row has 2"),
        (["@attribute a real", "@data", "1", "one"], "line 4: 'one' is not a value of"),
        (["@attribute a {x,y}", "@data", "z"], "line 3: 'z' is not a value of the attribute 'a'"),
        (["@attribute a real", "@data", "{1 2}"], "a column must be a number below 1; got '1'"),
        (["@attribute a real", "@data", "{0}"], "must be pairs"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(lines, message):
    with pytest.raises(DataError, match=message):
        read_arff(lines)


def test_text_columns_are_no_numbers():
    with pytest.raises(DataError, match="column 'note' is of type string"):
        read_arff([*HEADER, "?,?,?,?"]).matrix()


def test_packed_files_are_read(tmp_path):
    path = tmp_path / "t.arff.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("@relation r\n@attribute a {é}\n@data\né\n")
    assert read_arff(path).labels("a").tolist() == ["é"]


@pytest.mark.parametrize(
    ("name", "shape", "missing"),
    [
        ("labor", (57, 17), 326),
        ("soybean", (683, 36), 2337),
        ("vote", (435, 17), 392),
        ("contact-lenses", (24, 5), 0),
        ("yeast-train", (1500, 117), 0),
        ("bibtex-test", (2515, 1995), 0),
    ],
)
def test_published_files(name, shape, missing, data_folder):
    table = read_arff(data_folder / f"{name}.arff.gz").matrix()
    assert table.shape == shape
    assert np.isnan(table).sum() == missing


def test_published_text(data_folder):
    table = read_arff(data_folder / "ReutersCorn-train.arff.gz")
    assert len(table) == 1554
    assert table["Text"][0].startswith("BAHIA COCOA REVIEW Showers continued")


def test_a_table_without_labels_says_how_to_name_them():
    with pytest.raises(DataError, match="name them when reading it"):
        read_arff(["@relation r", "@attribute a numeric", "@data", "1"]).label_matrix()


def test_few_sparse_rows_cannot_become_a_huge_table(monkeypatch):
    monkeypatch.setattr("gramian.data.arff._LEAST_LIMIT", 10_000)
    header = ["@relation r", *(f"@attribute a{i} numeric" for i in range(1000)), "@data"]
    with pytest.raises(DataError, match=r"200 rows and 1,000 columns, 1,600,000 bytes, more than"):
        read_arff([*header, *["{}"] * 200])
    filled = "{" + ", ".join(f"{i} 1" for i in range(0, 1000, 20)) + "}"
    assert len(read_arff([*header, *[filled] * 200])) == 200
