"""Sources can be sent to a worker: they hold positions, not rows."""

import pickle

import numpy as np
import pandas as pd

from gramian.scale.sources import ArraySource, FrameSource, ParquetSource


def test_a_mapped_file_is_mapped_again(tmp_path):
    np.save(tmp_path / "t.npy", np.arange(1000.0).reshape(500, 2))
    source = ArraySource.of_file(str(tmp_path / "t.npy"), 200)
    sent = pickle.dumps(source)
    assert len(sent) < 1000
    np.testing.assert_array_equal(pickle.loads(sent).read(2, None)[:, 0], np.arange(800.0, 1000, 2))
    assert source.name_of(1) == "rows 200 to 399"


def test_a_parquet_file_is_sent_as_positions(tmp_path):
    frame = pd.DataFrame({"a": np.arange(5000.0), "b": 1})
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=2000)
    source = ParquetSource.of([str(tmp_path / "t.parquet")])
    again = pickle.loads(pickle.dumps(source))
    assert len(pickle.dumps(source)) < 1000
    assert sum(len(again.read(j, ["a"])) for j in range(again.n_parts)) == 5000
    assert FrameSource.of(frame, 2000).n_parts == 3


def test_the_first_rows_of_a_row_group_are_read_alone(tmp_path):
    frame = pd.DataFrame({"a": np.arange(5000.0), "b": "t"})
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=2000)
    source = ParquetSource.of([str(tmp_path / "t.parquet")])
    assert source.head(1, ["a"], 3).to_pydict() == {"a": [2000.0, 2001.0, 2002.0]}
    assert len(source.head(2, None, 9999)) == 1000
