"""Tables are written in the format of their suffix."""

from pathlib import Path

import polars as pl
import pytest

from gramian.base.errors import ParameterError
from gramian.cli.writing import check_suffix, with_numbers, write_table

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
    given = {
        "whole": ["1", "20"], "part": ["1.50", None], "code": ["007", "1"], "mark": ["1", "N/A"],
        "card": ["1234567890123456", "1"], "share": ["5%", "7%"], "typed": [1.5, 2.5],
    }  # fmt: skip
    found = with_numbers(pl.DataFrame(given))
    assert found["whole"].to_list() == [1, 20]
    assert found["part"].to_list() == [1.5, None]
    for name in ("code", "mark", "card", "share", "typed"):
        assert found[name].to_list() == given[name]
    assert found.columns == list(given)


def test_other_suffixes_are_refused():
    with pytest.raises(ParameterError, match=r"--out must end in .csv, .*xlsx; got 'a.xls'"):
        check_suffix(Path("b/a.xls"))


def test_a_sheet_is_not_overfilled(tmp_path):
    long = pl.DataFrame({"p": pl.zeros(1_048_576, eager=True)})
    with pytest.raises(ParameterError, match=r"for 1,048,576 rows; a sheet has 1,048,575"):
        write_table(long, tmp_path / "t.xlsx")
    assert not (tmp_path / "t.xlsx").exists()
