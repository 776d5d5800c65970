"""Chunks of tables: every kind of source gives the same rows, again and again."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from gramian import LinearRegression
from gramian.base.errors import DataError, ParameterError
from gramian.scale import chunks, csv_source, fit

rng = np.random.default_rng(0)
N = 2000


@pytest.fixture
def frame():
    table = pd.DataFrame(
        {
            "a": rng.normal(size=N),
            "colour": rng.choice(["red", "blue", "green"], N),
            "b": rng.integers(0, 9, N),
            "y": rng.normal(size=N),
            "w": rng.random(N),
        }
    )
    table["y"] += 2 * table["a"] + (table["colour"] == "red")
    return table


@pytest.fixture
def files(frame, tmp_path, monkeypatch):
    monkeypatch.setattr(csv_source, "_BYTES", 20_000)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=700)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    (tmp_path / "many").mkdir()
    for j, start in enumerate(range(0, N, 900)):
        frame[start : start + 900].to_parquet(tmp_path / "many" / f"{j}.parquet")
    return tmp_path


def kinds(frame, files):
    yield "parquet", str(files / "t.parquet")
    yield "folder", files / "many"
    yield "pattern", str(files / "many" / "*.parquet")
    yield "csv", str(files / "t.csv")
    yield "tsv", files / "t.tsv"
    yield "pandas", frame
    yield "polars", pl.from_pandas(frame)
    yield "arrow", pa.Table.from_pandas(frame)
    yield "lazy", pl.scan_parquet(files / "t.parquet")
    yield "dataset", ds.dataset(files / "t.parquet")


def test_every_source_gives_the_same_rows(frame, files):
    wanted = None
    for kind, data in kinds(frame, files):
        found = chunks(data, "y", weight="w", rows=600)
        assert len(found) > 1, kind
        assert found.feature_names == ["a", "colour=blue", "colour=green", "colour=red", "b"]
        for _ in range(2):  # passes
            X, y, w = (np.concatenate(parts) for parts in zip(*found, strict=True))
        assert X.flags.c_contiguous
        if wanted is None:
            wanted = X
            np.testing.assert_array_equal(X[:, 3], frame["colour"] == "red")
        np.testing.assert_array_equal(X, wanted, err_msg=kind)
        np.testing.assert_array_equal(y, frame["y"])
        np.testing.assert_array_equal(w, frame["w"])


def test_one_part_can_be_sent_alone(frame, files):
    np.save(files / "t.npy", frame[["a", "b"]].to_numpy())
    table, y = frame[["a", "b"]].to_numpy(), frame["y"].to_numpy()
    sources = [chunks(data, "y", weight="w", rows=600) for _, data in kinds(frame, files)]
    sources += [chunks(table, y, rows=600), chunks(files / "t.npy", y, weight=y**2, rows=600)]
    sources += [chunks(frame[["a", "b"]], y, rows=600), sources[0].split(0.3)[1]]
    for whole in sources:
        for part in range(len(whole)):
            sent = pickle.dumps(whole.only(part))
            for one, other in zip(pickle.loads(sent).read(part), whole.read(part), strict=True):
                np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_what_is_sent_does_not_grow_with_the_number_of_parts(frame, tmp_path):
    frame.to_parquet(tmp_path / "few.parquet", row_group_size=1000)
    frame.to_parquet(tmp_path / "many.parquet", row_group_size=10)
    for few, many in (
        (chunks(tmp_path / "few.parquet", "y"), chunks(tmp_path / "many.parquet", "y")),
        (chunks(frame, "y", rows=10), chunks(pd.concat([frame] * 20), "y", rows=10)),
        (
            chunks(frame[["a"]].to_numpy(), frame["y"].to_numpy(), rows=10),
            chunks(np.zeros((20 * N, 1)), np.zeros(20 * N), rows=10),
        ),
    ):
        assert len(many) >= 20 * len(few)
        sizes = [len(pickle.dumps(source.only(1))) for source in (few, many)]
        assert sizes[1] < sizes[0] + 200


def test_columns_are_chosen_and_categories_become_codes(frame, files):
    found = chunks(files / "t.parquet", "y", columns=["b", "colour"], encode="codes")
    X = np.concatenate([chunk[0] for chunk in found])
    np.testing.assert_array_equal(X[:, 1], pd.Categorical(frame["colour"]).codes)
    assert chunks(frame, "y", columns=["colour"], encode="dummy").feature_names == [
        "colour=green",
        "colour=red",
    ]


def test_missing_values(frame):
    frame.loc[3, "a"] = np.nan
    frame.loc[5, "colour"] = None
    X = next(iter(chunks(frame, "y", columns=["a", "colour"])))[0]
    assert np.isnan(X[3, 0])
    assert X[5, 1:].tolist() == [0.0, 0.0, 0.0]
    X = next(iter(chunks(frame, "y", columns=["colour"], encode="codes")))[0]
    assert np.isnan(X[5, 0])


def test_arrays_and_memory_maps(tmp_path):
    table = rng.normal(size=(100, 3)).astype(np.float32)
    np.save(tmp_path / "t.npy", table)
    for data in (table, np.load(tmp_path / "t.npy", mmap_mode="r"), tmp_path / "t.npy"):
        found = chunks(data, 2, rows=30)
        assert len(found) == 4
        X, y = (np.concatenate(parts) for parts in list(zip(*found, strict=True))[:2])
        np.testing.assert_array_equal(X, table[:, :2])
        np.testing.assert_array_equal(y, table[:, 2])
        assert X.dtype == np.float32
    X, y, w = next(iter(chunks(table, np.arange(100), weight=np.ones(100), rows=30)))
    assert (X.shape, len(y), len(w)) == ((30, 3), 30, 30)


def test_single_precision_stays(frame, tmp_path):
    frame[["a", "y"]].astype("float32").to_parquet(tmp_path / "s.parquet")
    X, y, _ = next(iter(chunks(tmp_path / "s.parquet", "y")))
    assert (X.dtype, y.dtype) == (np.float32, np.float32)


def test_a_quoted_field_may_hold_line_breaks(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_source, "_BYTES", 10)
    text = 'a,c\n1,"x\ny"\n2,"z"\n3,"x\ny"\n'
    (tmp_path / "q.csv").write_text(text)
    found = chunks(tmp_path / "q.csv")
    assert found.feature_names == ["a", "c=x\ny", "c=z"]
    assert np.concatenate([c[0] for c in found])[:, 1].tolist() == [1.0, 0.0, 1.0]


def test_types_of_a_csv_match_all_its_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_source, "_BYTES", 10)
    lines = [*("1" for _ in range(20)), "2.5", "x"]
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{v},1\n" for v in lines))
    assert chunks(tmp_path / "t.csv").feature_names == ["a=1", "a=2.5", "a=x", "b"]


def test_progress_is_shown(frame, capsys):
    fit(LinearRegression(), chunks(frame, "y", columns=["a"], rows=500, progress=True))
    assert "one pass" in capsys.readouterr().out


def test_other_columns_or_types_are_named_with_their_file(files):
    other = pd.DataFrame({"a": [1.0], "colour": ["red"], "b": [1], "y": [0.0]})
    other.to_parquet(files / "many" / "9.parquet")
    with pytest.raises(DataError, match=r"9\.parquet has no column 'w'"):
        chunks(files / "many", "y")
    other.assign(w="heavy").to_parquet(files / "many" / "9.parquet")
    with pytest.raises(DataError, match=r"column 'w' is (large_)?string in .*9\.parquet"):
        chunks(files / "many", "y")


def test_a_category_that_appears_later_is_named_with_its_chunk(frame):
    found = chunks(frame, "y", rows=500)
    found.source.frame.loc[1700, "colour"] = "violet"
    with pytest.raises(DataError, match=r"category 'violet' in rows 1500 to 1999 \(chunk 3\)"):
        list(found)


def test_a_chunk_that_cannot_be_read_is_named(files):
    found = chunks(files / "many", "y")
    (files / "many" / "1.parquet").write_bytes(b"damaged")
    with pytest.raises(DataError, match=r"row group 0 of .*1\.parquet cannot be read"):
        list(found)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"target": "z"}, DataError, "no column 'z'"),
        ({"columns": ["z"]}, DataError, "no column 'z'"),
        ({"encode": "hash"}, ParameterError, "encode must be"),
        ({"rows": 0}, ParameterError, "at least 1; got 0"),
    ],
)
def test_bad_settings(frame, settings, error, words):
    with pytest.raises(error, match=words):
        chunks(frame, **settings)


def test_bad_data(tmp_path):
    with pytest.raises(DataError, match="no file at"):
        chunks(tmp_path / "none.parquet")
    (tmp_path / "t.json").write_text("{}")
    with pytest.raises(DataError, match="must be Parquet files"):
        chunks(tmp_path / "t.json")
    with pytest.raises(DataError, match="data must be a path"):
        chunks(3)
    with pytest.raises(DataError, match="'d' is Datetime"):
        chunks(pd.DataFrame({"d": pd.date_range("2020", periods=3)}))
    with pytest.raises(ParameterError, match="no column names"):
        chunks(np.ones((3, 2)), "y")
    (tmp_path / "e.csv").write_text("a,b\n")
    with pytest.raises(DataError, match="no rows below its header"):
        chunks(tmp_path / "e.csv")
    pd.DataFrame({"a": [1.0]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ParameterError, match="column names if the data are already divided"):
        chunks(tmp_path / "t.parquet", np.ones(1))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": "y", "columns": ["a", "y"]}, "must not contain the target 'y'"),
        ({"target": "y", "columns": ["a", "a"]}, "columns must differ; got 'a' twice"),
        ({"target": "y", "columns": []}, "at least one column; got none"),
        ({"target": np.zeros(5)}, "target has 5 entries and the data have 2000 rows"),
        ({"weight": np.zeros(N + 1)}, "weight has 2001 entries and the data have 2000 rows"),
    ],
)
def test_columns_and_lengths_that_cannot_be(frame, options, words):
    with pytest.raises(ValueError, match=words):
        chunks(frame, **options)


def test_arrays_that_cannot_be(tmp_path):
    with pytest.raises(ParameterError, match="one of 2 columns; got 9"):
        chunks(np.zeros((5, 2)), 9)
    with pytest.raises(DataError, match=r"two dimensions; got shape \(5,\)"):
        chunks(np.zeros(5))
    with pytest.raises(DataError, match="target has 6 entries and the data have 5 rows"):
        chunks(np.zeros((5, 2)), np.zeros(6))
    np.save(tmp_path / "o.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(DataError, match=r"o\.npy cannot be read"):
        chunks(tmp_path / "o.npy")


def test_a_line_with_too_many_fields_is_named(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,0\n2,1,5\n")
    with pytest.raises(DataError, match=r"bytes 4 to 13 of .*t\.csv cannot be read"):
        chunks(tmp_path / "t.csv", "y")


def test_a_label_that_is_missing_is_named_with_its_chunk(frame):
    frame.loc[1500, "colour"] = None
    pieces = chunks(frame, "colour", columns=["a"], rows=1000)
    assert len(pieces.read(0)[1]) == 1000
    with pytest.raises(DataError, match=r"'colour' is missing in 1 rows of .*chunk 1"):
        pieces.read(1)


def test_sizes_are_known_without_reading_where_they_can_be(tmp_path):
    table = np.arange(40.0).reshape(20, 2)
    frame = pd.DataFrame(table, columns=["a", "b"])
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=8)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for data in (tmp_path / "t.parquet", table, frame):
        pieces = chunks(data, rows=8)
        assert pieces.sizes == [len(X) for X, _, _ in pieces] == [8, 8, 4]
    assert chunks(tmp_path / "t.csv").sizes is None
    assert pieces.split(0.5)[0].sizes is None  # which rows are held out is drawn when they are read


def test_bad_arguments_are_refused(frame, tmp_path):
    table = frame[["a", "b", "y"]].to_numpy()
    for rows in (0, 2.5, "5"):
        with pytest.raises(ParameterError, match=f"rows must be an integer.*got {rows!r}"):
            chunks(table, 2, rows=rows)
    with pytest.raises(ParameterError, match="target must name a column; got True"):
        chunks(table, True)
    by_number = chunks(table, np.int64(2), rows=600)
    np.testing.assert_array_equal(by_number.read(1)[1], frame["y"][600:1200])
    (tmp_path / "t.csv").write_bytes("a,b\n1,2\n2,3\n\xe9,4\n".encode("latin1"))
    with pytest.raises(DataError, match=r"cannot be read: .*\. Write the file in UTF-8\."):
        chunks(tmp_path / "t.csv", "b")
