"""Sources can be sent to a worker: they hold positions, not rows."""

import pickle

import numpy as np
import pandas as pd

from gramian.scale.sources import ArraySource, CsvSource, FrameSource, ParquetSource


def test_a_mapped_file_is_mapped_again(tmp_path):
    np.save(tmp_path / "t.npy", np.arange(1000.0).reshape(500, 2))
    source = ArraySource.of_file(str(tmp_path / "t.npy"), 200)
    sent = pickle.dumps(source)
    assert len(sent) < 1000
    np.testing.assert_array_equal(pickle.loads(sent).read(2, None)[:, 0], np.arange(800.0, 1000, 2))
    assert source.name_of(1) == "rows 200 to 399"


def test_files_are_sent_as_positions(tmp_path):
    frame = pd.DataFrame({"a": np.arange(5000.0), "b": 1})
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=2000)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for source in (
        ParquetSource.of([str(tmp_path / "t.parquet")]),
        CsvSource.of(str(tmp_path / "t.csv")),
    ):
        again = pickle.loads(pickle.dumps(source))
        assert len(pickle.dumps(source)) < 1000
        rows = [len(again.read(j, ["a"])) for j in range(again.n_parts)]
        assert sum(rows) == 5000
    assert FrameSource.of(frame, 2000).n_parts == 3
