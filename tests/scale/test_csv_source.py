"""Delimited files can be sent to a worker: positions, not rows."""

import pickle

import numpy as np
import pandas as pd

from gramian.scale.csv_source import CsvSource


def test_a_file_is_sent_as_positions(tmp_path):
    pd.DataFrame({"a": np.arange(5000.0), "b": 1}).to_csv(tmp_path / "t.csv", index=False)
    source = CsvSource.of(str(tmp_path / "t.csv"))
    sent = pickle.dumps(source)
    assert len(sent) < 1000
    again = pickle.loads(sent)
    assert sum(len(again.read(j, ["a"])) for j in range(again.n_parts)) == 5000
    assert again.on_disk
