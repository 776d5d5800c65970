"""Tables are written in the format of their suffix."""

import resource
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.cli.writing import (
    check_columns,
    check_suffix,
    safe_cells,
    with_numbers,
    write_table,
)

FRAME = pl.DataFrame({"id": ["a", "=1+1"], "p": [0.25, None]})


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("t.csv", pl.read_csv),
        ("t.tsv", lambda path: pl.read_csv(path, separator="\t")),
        ("t.parquet", pl.read_parquet),
        ("t.XLSX", pl.read_excel),
    ],
)
def test_a_table_comes_back(tmp_path, name, read):
    path = tmp_path / name
    check_suffix(path)
    write_table(FRAME, path, safe=False)
    assert read(path).equals(FRAME)  # also the text that looks like a formula


def test_only_plain_numbers_become_numbers():
    columns = {
        "whole": ["1", "20"], "part": ["1.50", None], "code": ["007", "1"], "mark": ["1", "N/A"],
        "card": ["1234567890123456", "1"], "share": ["5%", "7%"], "typed": [1.5, 2.5],
    }  # fmt: skip
    found = with_numbers(pl.DataFrame(columns))
    assert found["whole"].to_list() == [1, 20]
    assert found["part"].to_list() == [1.5, None]
    for name in ("code", "mark", "card", "share", "typed"):
        assert found[name].to_list() == columns[name]
    assert found.columns == list(columns)


def test_other_suffixes_are_refused():
    with pytest.raises(ParameterError, match=r"--out must end in .csv, .*xlsx; got 'a.xls'"):
        check_suffix(Path("b/a.xls"))


def test_a_sheet_is_not_overfilled(tmp_path):
    long = pl.DataFrame({"p": pl.zeros(1_048_576, eager=True)})
    with pytest.raises(ParameterError, match=r"for 1,048,576 rows; a sheet has at most 1,048,575"):
        write_table(long, tmp_path / "t.xlsx")
    assert not (tmp_path / "t.xlsx").exists()


CELLS = {
    "=1+1": "'=1+1",
    "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0",
    "-2+3": "'-2+3",
    "@SUM(A1)": "'@SUM(A1)",
    "\t=1": "'\t=1",
    "\r=1": "'\r=1",
    "＝1": "'＝1",
    "-3.5": "-3.5",
    "+1e-7": "+1e-7",
    "-1,234.50": "-1,234.50",
    "-12 %": "-12 %",
    "-": "-",
    "a=1": "a=1",
}


def test_text_that_looks_like_a_formula_is_marked_and_numbers_are_not(tmp_path):
    frame = pl.DataFrame({"=name": list(CELLS), "n": [-1.5] * len(CELLS)})
    assert safe_cells(frame)["'=name"].to_list() == list(CELLS.values())
    assert safe_cells(frame)["n"].to_list() == [-1.5] * len(CELLS)
    for kind in (pl.Categorical, pl.Enum(list(CELLS))):  # those of Parquet files too
        cast = frame.with_columns(pl.col("=name").cast(kind))
        assert safe_cells(cast)["'=name"].to_list() == list(CELLS.values())
    write_table(frame, tmp_path / "safe.csv")
    found = pl.read_csv(tmp_path / "safe.csv")
    assert found["'=name"].to_list() == list(CELLS.values())
    write_table(frame, tmp_path / "exact.csv", safe=False)
    found = pl.read_csv(tmp_path / "exact.csv")
    assert found["=name"].to_list() == list(CELLS)


def test_names_of_columns_stay_different_and_numbers_stay():
    frame = pl.DataFrame({"=a": [1], "'=a": [2], "-1": [3], "-": [4]})
    assert safe_cells(frame).columns == ["''=a", "'=a", "-1", "-"]


def test_a_workbook_holds_text_neither_formulas_nor_links(tmp_path):
    texts = ["=1+1", "http://example.org/a", "external:c:\\a.xlsx", "@SUM(A1)"]
    write_table(pl.DataFrame({"=a": texts}), tmp_path / "t.xlsx")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as file:
        sheet = file.read("xl/worksheets/sheet1.xml")
        assert b"<f>" not in sheet
        assert b"hyperlink" not in sheet
    assert pl.read_excel(tmp_path / "t.xlsx")["=a"].to_list() == texts


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".xlsx"])
def test_a_link_is_replaced_and_a_full_disk_is_named(tmp_path, suffix):
    victim, path = tmp_path / "victim", tmp_path / f"t{suffix}"
    victim.write_bytes(b"mine")
    path.symlink_to(victim)
    write_table(FRAME, path)
    assert victim.read_bytes() == b"mine"
    assert not path.is_symlink()
    large = pl.DataFrame({"p": np.random.default_rng(0).normal(size=30_000)})
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large") as error:
            write_table(large, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert error.value.filename == str(path)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([path.name, "victim"])


@pytest.mark.parametrize(
    ("cell", "refused"),
    [
        ("text", []),
        (datetime(2026, 1, 1), []),
        (datetime(2026, 1, 1, tzinfo=UTC), [".xlsx"]),
        (timedelta(days=1), [".csv", ".tsv"]),
        (b"bytes", [".csv", ".tsv", ".xlsx"]),
        ([1, 2], [".csv", ".tsv"]),
        (object(), [".csv", ".tsv", ".xlsx", ".parquet"]),
    ],
)
def test_columns_that_a_format_cannot_hold_are_refused_and_others_are_written(
    tmp_path, cell, refused
):
    frame = pl.DataFrame({"n": [1], "c": [cell]})
    for suffix in (".csv", ".tsv", ".xlsx", ".parquet"):
        path = tmp_path / f"t{suffix}"
        if suffix in refused:
            with pytest.raises(DataError, match=r"--append: column 'c' has the type .*cannot hold"):
                check_columns(frame, path, "--append")
        else:
            check_columns(frame, path, "--append")
            write_table(frame, path)
            assert path.exists()
