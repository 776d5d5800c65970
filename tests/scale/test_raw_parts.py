"""Parts of files, read as a whole file is."""

import polars as pl
import pytest

from gramian.base.errors import DataError
from gramian.data.reading import read_table
from gramian.scale import csv_source
from gramian.scale.raw_parts import raw_parts


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_parts_of_text_are_the_table_that_is_read_at_once(tmp_path, monkeypatch, separator):
    path = tmp_path / "t.csv"
    frame = pl.DataFrame({"a": range(50), "b, quoted": [f'x;y,"{i}"\nz' for i in range(50)]})
    frame.write_csv(path, separator=separator)
    monkeypatch.setattr(csv_source, "_BYTES", 200)
    parts, kind, digest = raw_parts(str(path))
    assert parts.n_parts > 3
    whole = read_table(path, parse=False)
    assert pl.concat([parts.read(j) for j in range(parts.n_parts)]).equals(whole.frame)
    assert (kind, digest) == ("CSV", whole.sha256)


def test_parts_of_parquet_are_row_groups(tmp_path):
    frame = pl.DataFrame({"a": range(50)})
    frame.write_parquet(tmp_path / "t.parquet", row_group_size=20)
    parts, kind, _ = raw_parts(str(tmp_path / "t.parquet"))
    assert (parts.n_parts, kind) == (3, "Parquet")
    assert pl.concat([parts.read(j) for j in range(3)]).equals(frame)
    assert raw_parts(str(tmp_path))[0].n_parts == 3


def test_what_cannot_be_cut_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-16")
    with pytest.raises(DataError, match="UTF-8"):
        raw_parts(str(path))
    with pytest.raises(DataError, match="no such file"):
        raw_parts(str(tmp_path / "none.csv"))
