"""What columns hold is found, with a reason."""

import datetime

import pandas as pd
import pytest

from gramian.base.errors import DataError
from gramian.data import TablePreparer, infer_kinds

pl = pytest.importorskip("polars")
N = 40

COLUMNS = {
    "measurement": ([0.5 * i % 7 for i in range(N)], "numeric"),
    "count": ([i % 5 for i in range(N)], "numeric"),
    "row": (list(range(1, N + 1)), "identifier"),
    "customer_id": ([1000 + 7 * i for i in range(N)], "identifier"),
    "year_built": ([1900 + 3 * i for i in range(N)], "numeric"),
    "code": ([f"A{i:04d}" for i in range(N)], "identifier"),
    "tree": (["ash", "birch", "oak", None] * (N // 4), "categorical"),
    "flag": ([True, False] * (N // 2), "categorical"),
    "bought": (["t", None] * (N // 2), "categorical"),
    "always": ([3.0] * N, "constant"),
    "nothing": ([None] * N, "empty"),
    "not_a_number": ([float("nan")] * N, "empty"),
    "day": ([datetime.date(2026, 1, 1) + datetime.timedelta(i) for i in range(N)], "date"),
    "note": ([f"the {i}th wine was dark and dry" for i in range(N)], "text"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_kinds(name):
    values, kind = COLUMNS[name]
    found = infer_kinds(pl.DataFrame({name: values}))[name]
    assert found.kind == kind
    assert found.reason


def test_pandas_gives_the_same_kinds():
    pd = pytest.importorskip("pandas")
    frame = pl.DataFrame({name: values for name, (values, _) in COLUMNS.items()})
    del pd
    ours = {name: found.kind for name, found in infer_kinds(frame).items()}
    theirs = {name: found.kind for name, found in infer_kinds(frame.to_pandas()).items()}
    assert {n: k for n, k in theirs.items() if n != "nothing"} == {
        n: k for n, k in ours.items() if n != "nothing"
    }


def test_what_looks_like_a_number_or_a_date_is_no_identifier():
    columns = {
        "units": [f"{i} kg" if i % 2 else f"{i} cm" for i in range(N)],
        "orders": [
            f"{i % 28 + 1}/{i % 12 + 1}/{1980 + i}" if i % 2 else f"1/{i % 15 + 14}/{1980 + i}"
            for i in range(N)
        ],
    }
    phones = pl.DataFrame({"phone": [f"0221 85{i:04d}" for i in range(N)]})
    assert infer_kinds(phones)["phone"].kind == "identifier"  # groups of no number
    kinds = infer_kinds(pl.DataFrame(columns))
    assert {found.kind for found in kinds.values()} == {"categorical"}


@pytest.mark.parametrize("entry", [[1, 2], {"a": 1}, {1}])
def test_entries_that_hold_several_values_name_their_column(entry):
    frame = pd.DataFrame({"width": [1.0, 2.0], "parts": [entry, entry]})
    with pytest.raises(DataError, match=r"column 'parts' has entries of type"):
        infer_kinds(frame)
    with pytest.raises(DataError, match=r"TablePreparer: column 'parts' has entries of type"):
        TablePreparer().fit(frame)
