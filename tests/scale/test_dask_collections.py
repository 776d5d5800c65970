"""Dask's collections as delayed chunks: cut alike, or refused."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.scale.dask_collections import delayed_chunks, is_dask

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
X = np.arange(24.0).reshape(8, 3)
y = np.arange(8)


def test_blocks_of_columns_are_joined_and_targets_cut_alike():
    table = da.from_array(X, chunks=(3, 2))
    parts, sizes = delayed_chunks(table, da.from_array(y, chunks=5), y.astype(float))
    assert sizes == [3, 3, 2]
    found = [part.compute() for part in parts]
    np.testing.assert_array_equal(np.concatenate([f[0] for f in found]), X)
    assert [f[1].tolist() for f in found] == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert found[2][2].tolist() == [6.0, 7.0]


def test_frames_have_unknown_sizes():
    import pandas as pd

    frame = dd.from_pandas(pd.DataFrame(X, columns=list("abc")), npartitions=2)
    parts, sizes = delayed_chunks(frame[["a", "b"]], frame["c"], None)
    assert sizes is None
    assert len(parts) == 2
    with pytest.raises(DataError, match="sizes are unknown"):
        delayed_chunks(frame, y, None)
    with pytest.raises(DataError, match="y has 1 partitions and X has 2"):
        delayed_chunks(frame, dd.from_pandas(pd.Series(y), npartitions=1), None)


def test_other_numbers_of_rows_are_refused():
    table = da.from_array(X, chunks=(3, 3))
    with pytest.raises(DataError, match="y has 7 rows but X has 8 rows"):
        delayed_chunks(table, y[:7], None)
    with pytest.raises(DataError, match="y has 7 rows but X has 8 rows"):
        delayed_chunks(table, da.from_array(y[:7], chunks=3), None)


def test_what_is_a_collection():
    assert is_dask(da.ones(3))
    assert not is_dask(X)
