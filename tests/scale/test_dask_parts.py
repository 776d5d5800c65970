"""Parts on Dask's own scheduler: order of merges, empty parts, numbers of rows."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.scale.dask_parts import DaskParts

dask = pytest.importorskip("dask")


def chunk(rows, first=0):
    X = np.arange(first, first + rows, dtype=float)[:, None]
    return dask.delayed((X, None, None), pure=False)


def listed(chunks, part, start):
    return [(part, start, len(chunks[0][0]))]


def test_results_are_merged_in_order_and_rows_are_numbered():
    parts = DaskParts([chunk(n) for n in range(40)])
    found = parts.total(listed, lambda a, b: a + b, numbered=True)
    starts = np.cumsum([0, *range(39)])
    assert found == [(j, int(starts[j]), j) for j in range(40)]
    assert parts.n_rows() == sum(range(40))


def test_the_head_comes_from_the_first_part_with_rows():
    parts = DaskParts([chunk(0), chunk(5, first=7)])
    assert parts.head(2)[0].ravel().tolist() == [7.0, 8.0]
    with pytest.raises(DataError, match="at least one row; all partitions are empty"):
        DaskParts([chunk(0)]).head(2)
    with pytest.raises(DataError, match="at least one partition"):
        DaskParts([])


def test_a_state_goes_from_part_to_part():
    parts = DaskParts([chunk(2), chunk(3)], sizes=[2, 3])
    step = lambda chunks, part, start, state: [*state, (part, start)]  # noqa: E731
    assert parts.fold(step, []) == [(0, 0), (1, 2)]
