"""One chunk of a table: what a worker gets, and what it reads."""

import pickle

import numpy as np
import pandas as pd
import pytest

from gramian.scale import chunks
from gramian.scale.sources import ParquetSource
from gramian.scale.table_part import TablePart


@pytest.fixture
def table(tmp_path):
    frame = pd.DataFrame({"a": np.arange(5000.0), "b": 1.5, "y": np.arange(5000) % 2})
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=2000)
    return chunks(tmp_path / "t.parquet", "y")


def test_a_part_is_sent_as_a_position_and_read_elsewhere(table):
    part = pickle.loads(pickle.dumps(TablePart(table, 2)))
    assert len(pickle.dumps(part)) < 2000
    X, y, weights = part.read()
    assert X[:, 0].tolist() == list(range(4000, 5000))
    assert y.tolist() == [0, 1] * 500
    assert weights is None
    assert part.rows(3, 5)[0][:, 0].tolist() == [4003, 4004]


def test_a_step_reads_its_part_once_and_targets_without_columns(table, monkeypatch):
    read = []
    whole = ParquetSource.read

    def counted(self, part, columns):
        read.append(columns)
        return whole(self, part, columns)

    monkeypatch.setattr(ParquetSource, "read", counted)
    once = TablePart(table, 1).once()
    ((y, weights),) = once.targets()
    assert (y[:3].tolist(), weights) == ([0, 1, 0], None)
    assert read == [["y"]]
    assert [len(X) for X, _, _ in once] == [len(X) for X, _, _ in once] == [2000]
    assert read == [["y"], ["a", "b", "y"]]
