"""Dask's collections read block by block in this process."""

import numpy as np
import pytest

from gramian import LinearRegression
from gramian.scale import chunks

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")


def test_arrays_and_frames_are_read_block_by_block():
    import pandas as pd

    table = np.random.default_rng(0).normal(size=(90, 3))
    frame = pd.DataFrame(table, columns=list("abc"))
    whole = LinearRegression().fit(table[:, :2], table[:, 2])
    for collection in (
        chunks(da.from_array(table, chunks=(40, 3)), 2),
        chunks(dd.from_pandas(frame, npartitions=3), "c"),
    ):
        assert len(collection) == 3
        np.testing.assert_allclose(LinearRegression().fit_chunks(collection).coef_, whole.coef_)
