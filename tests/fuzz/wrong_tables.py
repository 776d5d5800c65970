"""Tables that should not be: each function takes a good table and returns what a user might give.

A float that is extreme but finite is among them, so that "refused" is not the only right outcome.
"""

import array
import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse as sp

HUGE = 10**400  # an integer that no float holds
DAYS = np.datetime64("2026-01-01")


class NoArray:
    """Claims to be an array and fails when asked for it."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError("this array cannot be read")


def _cell(value: Any) -> Callable[[Any], Any]:
    """Put one value in the midst of a table of objects."""

    def change(X: Any) -> Any:
        X = X.astype(object)
        X[len(X) // 2, -1] = value
        return X

    return change


def _number(value: float) -> Callable[[Any], Any]:
    def change(X: Any) -> Any:
        X = X.copy()
        X[len(X) // 2, -1] = value
        return X

    return change


def _scaled(factor: float, dtype: Any = np.float64) -> Callable[[Any], Any]:
    """Let the largest entry be `factor`."""

    def change(X: Any) -> Any:
        return (X / np.abs(X).max() * factor).astype(dtype)

    return change


def _wild(low: float, high: float, dtype: Any = np.float64) -> Callable[[Any], Any]:
    """Let the entries have sizes from 10^low to 10^high."""

    def change(X: Any) -> Any:
        powers = np.linspace(low, high, X.size).reshape(X.shape)
        signs = np.where(X >= 0, 1.0, -1.0)
        return (signs * 10.0**powers).astype(dtype)

    return change


def _column(values: Callable[[int], Any]) -> Callable[[Any], Any]:
    """Give a pandas frame a last column of these values."""

    def change(X: Any) -> Any:
        frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
        frame[frame.columns[-1]] = values(len(X))
        return frame

    return change


def _polars(values: Callable[[int], Any]) -> Callable[[Any], Any]:
    def change(X: Any) -> Any:
        frame = pl.DataFrame(X, schema=[f"c{j}" for j in range(X.shape[1])])
        return frame.with_columns(pl.Series(frame.columns[-1], values(len(X))))

    return change


def _days(n: int) -> Any:
    return DAYS + np.arange(n)


def _bad_csr(what: str) -> Callable[[Any], Any]:
    """Make a CSR array whose positions contradict its shape."""

    def change(X: Any) -> Any:
        table = sp.csr_array(X)
        if what == "column":
            table.indices[-1] = X.shape[1] + 7
        elif what == "negative":
            table.indices[0] = -1
        elif what == "pointers":
            table.indptr[1] = table.nnz + 9
        elif what == "falling":
            table.indptr[1:3] = table.indptr[1:3][::-1]
        elif what == "twice":
            table.indices[1] = table.indices[0]
        elif what == "unsorted":
            table.indices[:2] = table.indices[:2][::-1].copy()
        elif what == "float positions":
            table.indices = table.indices.astype(float)
        elif what == "short":
            table.data = table.data[:-1]
        return table

    return change


def _explicit_zeros(X: Any, step: int) -> Any:
    """Store every `step`-th entry as a zero."""
    table = sp.csr_array(X)
    table.data[::step] = 0.0
    return table


def _out_of_range(table: Any, positions: str) -> Any:
    getattr(table, positions)[-1] = 10**6
    return table


def _csr_with(value: Any, dtype: Any = None) -> Callable[[Any], Any]:
    def change(X: Any) -> Any:
        table = sp.csr_array(X.astype(dtype) if dtype is not None else X)
        table.data[0] = value
        return table

    return change


TABLES: dict[str, Callable[[Any], Any]] = {
    # the shape
    "a number": lambda X: 3.5,
    "one dimension": lambda X: X[0],
    "three dimensions": lambda X: X[:, :, None],
    "no rows": lambda X: X[:0],
    "no columns": lambda X: X[:, :0],
    "an empty list": lambda X: [],
    "a list of an empty list": lambda X: [[]],
    "ragged lists": lambda X: [*X.tolist()[:-1], X[-1, :-1].tolist()],
    "nested lists": lambda X: [[[v] for v in row] for row in X.tolist()],
    "a column less": lambda X: X[:, :-1],
    "a column more": lambda X: np.column_stack([X, X[:, :1]]),
    "one row": lambda X: X[:1],
    "two rows": lambda X: X[:2],
    "one column": lambda X: X[:, :1],
    # what is no table
    "None": lambda X: None,
    "a string": lambda X: "table.csv",
    "bytes": lambda X: b"1,2,3",
    "a dict": lambda X: {"a": [1.0, 2.0]},
    "a dict of columns": lambda X: {f"c{j}": X[:, j] for j in range(X.shape[1])},
    "a set": lambda X: {1.0, 2.0},
    "a generator": lambda X: (row for row in X),
    "a range": lambda X: range(len(X)),
    "a function": lambda X: len,
    "a class": lambda X: dict,
    "an array that fails": lambda X: NoArray(),
    "a memoryview": lambda X: memoryview(np.ascontiguousarray(X)),
    "an array of the standard library": lambda X: array.array("d", X[0].tolist()),
    # types of entries
    "text": lambda X: np.full(X.shape, "tall"),
    "numbers as text": lambda X: X.astype(str),
    "bytes in cells": lambda X: np.full(X.shape, b"x"),
    "a word in a cell": _cell("tall"),
    "None in a cell": _cell(None),
    "a list in a cell": _cell([1, 2]),
    "a dict in a cell": _cell({}),
    "an array in a cell": _cell(np.ones(3)),
    "a complex number in a cell": _cell(1 + 2j),
    "a date in a cell": _cell(datetime.date(2026, 1, 1)),
    "a huge integer in a cell": _cell(HUGE),
    "a huge negative integer in a cell": _cell(-HUGE),
    "pandas.NA in a cell": _cell(pd.NA),
    "NaT in a cell": _cell(pd.NaT),
    "a function in a cell": _cell(len),
    "a class in a cell": _cell(int),
    "a decimal in a cell": _cell(Decimal("1.5")),
    "a large decimal in a cell": _cell(Decimal("1e5000")),
    "a decimal NaN in a cell": _cell(Decimal("sNaN")),
    "a fraction in a cell": _cell(Fraction(1, 3)),
    "a large fraction in a cell": _cell(Fraction(HUGE, 3)),
    "objects": lambda X: X.astype(object),
    "huge integers in lists": lambda X: [[HUGE] * X.shape[1] for _ in X],
    "integers beyond 64 bits": lambda X: [[2**70 + i] * X.shape[1] for i in range(len(X))],
    "complex": lambda X: X + 1j,
    "complex without an imaginary part": lambda X: X.astype(complex),
    "booleans": lambda X: X.mean() < X,
    "dates": lambda X: DAYS + np.round(X).astype(int),
    "durations": lambda X: np.round(X).astype("timedelta64[D]"),
    "Python dates": lambda X: [[datetime.datetime(2026, 1, 1)] * X.shape[1] for _ in X],
    "small integers": lambda X: np.clip(X * 10, -128, 127).astype(np.int8),
    "the largest unsigned integers": lambda X: np.full(X.shape, 2**64 - 1, dtype=np.uint64),
    "half precision": lambda X: X.astype(np.float16),
    "half precision, large": lambda X: np.full(X.shape, 65504, dtype=np.float16),
    "long double": lambda X: X.astype(np.longdouble),
    "long double beyond double": lambda X: X.astype(np.longdouble) * np.longdouble("1e4000"),
    "other byte order": lambda X: X.astype(">f8"),
    "a structured array": lambda X: np.array([tuple(r) for r in X[:, :2]], dtype="f8,f8"),
    "a record array": lambda X: np.rec.fromarrays([X[:, 0], X[:, 1]]),
    "a masked array": lambda X: np.ma.array(X, mask=X.mean() < X),
    "an array of class matrix": lambda X: np.asmatrix(X),
    "void": lambda X: np.zeros(X.shape, dtype="V8"),
    # not finite
    "NaN": _number(np.nan),
    "infinity": _number(np.inf),
    "minus infinity": _number(-np.inf),
    "only NaN": lambda X: np.full(X.shape, np.nan),
    "only infinity": lambda X: np.full(X.shape, np.inf),
    "a column of NaN": lambda X: np.column_stack([X[:, :-1], np.full(len(X), np.nan)]),
    "NaN and infinity": lambda X: np.where(X.mean() < X, np.nan, np.inf),
    "float32 with NaN": lambda X: _number(np.nan)(X.astype(np.float32)),
    "float32 with infinity": lambda X: _number(np.inf)(X.astype(np.float32)),
    # extreme
    "zeros": lambda X: X * 0,
    "negative zeros": lambda X: -X * 0,
    "constant": lambda X: np.full(X.shape, 3.0),
    "equal rows": lambda X: np.repeat(X[:1], len(X), axis=0),
    "every row twice": lambda X: np.repeat(X[: (len(X) + 1) // 2], 2, axis=0)[: len(X)],
    "three distinct rows": lambda X: X[np.arange(len(X)) % 3],
    "one row differs": lambda X: np.concatenate([np.repeat(X[:1], len(X) - 1, axis=0), X[-1:]]),
    "two equal columns": lambda X: np.column_stack([X[:, :-1], X[:, 0]]),
    "a constant column": lambda X: np.column_stack([X[:, :-1], np.ones(len(X))]),
    "negative": lambda X: -np.abs(X) - 1,
    "1.7e308": _scaled(1.7e308),
    "1e300": _scaled(1e300),
    "1e200": _scaled(1e200),
    "1e160": _scaled(1e160),
    "1e153": _scaled(1e153),
    "1e100": _scaled(1e100),
    "1e-100": _scaled(1e-100),
    "1e-160": _scaled(1e-160),
    "1e-300": _scaled(1e-300),
    "denormal": _scaled(1e-320),
    "the smallest": lambda X: np.where(X.mean() < X, 5e-324, 0.0),
    "one entry 1e308": _number(1e308),
    "one entry 1e150": _number(1e150),
    "float32 3e38": _scaled(3e38, np.float32),
    "float32 1e38": _scaled(1e38, np.float32),
    "float32 1e30": _scaled(1e30, np.float32),
    "float32 1e20": _scaled(1e20, np.float32),
    "float32 1e19": _scaled(1e19, np.float32),
    "float32 1e10": _scaled(1e10, np.float32),
    "float32 1e-10": _scaled(1e-10, np.float32),
    "float32 1e-20": _scaled(1e-20, np.float32),
    "float32 1e-38": _scaled(1e-38, np.float32),
    "float32 denormal": _scaled(1e-44, np.float32),
    "float32, one entry 3e38": lambda X: _number(3e38)(X.astype(np.float32)),
    "float32 of all sizes": _wild(-38, 38, np.float32),
    "all sizes": _wild(-300, 300),
    "sizes whose squares are finite": _wild(-150, 150),
    "far from the origin": lambda X: X + 1e15,
    "float32, far from the origin": lambda X: (X + 1e7).astype(np.float32),
    # frames
    "a frame with dates": _column(_days),
    "a frame with dates of a zone": _column(
        lambda n: pd.date_range("2026-01-01", periods=n, tz="UTC")
    ),
    "a frame of dates alone": lambda X: pd.DataFrame(
        {f"c{j}": _days(len(X)) for j in range(X.shape[1])}
    ),
    "a frame with durations": _column(lambda n: pd.to_timedelta(np.arange(n), unit="h")),
    "a frame with periods": _column(lambda n: pd.period_range("2026-01", periods=n, freq="M")),
    "a frame with Python dates": _column(lambda n: [datetime.date(2026, 1, 1)] * n),
    "a frame with text": _column(lambda n: ["a", "b"] * (n // 2) + ["c"] * (n % 2)),
    "a frame with categories": _column(
        lambda n: pd.Categorical(["a", "b", None] * n)[:n]
    ),
    "a frame with numbered categories": _column(lambda n: pd.Categorical(np.arange(n) % 3)),
    "a frame with intervals": _column(lambda n: pd.interval_range(0, n)),
    "a frame with nullable integers": _column(lambda n: pd.array([1, None] * n, "Int64")[:n]),
    "a frame with nullable floats": _column(lambda n: pd.array(np.arange(n) / 7, "Float64")),
    "a frame with nullable booleans": _column(
        lambda n: pd.array([True, None] * (n // 2) + [True] * (n % 2), "boolean")
    ),
    "a frame with complex numbers": _column(lambda n: np.arange(n) * 1j),
    "a frame with huge integers": _column(lambda n: [HUGE] * n),
    "a frame with decimals": _column(lambda n: [Decimal(i) for i in range(n)]),
    "a frame with lists": _column(lambda n: [[1, 2]] * n),
    "a frame with sparse columns": _column(lambda n: pd.arrays.SparseArray(np.arange(n) % 2)),
    "a frame without columns": lambda X: pd.DataFrame(index=range(len(X))),
    "a frame without rows": lambda X: pd.DataFrame(X).iloc[:0],
    "a frame with one name twice": lambda X: pd.DataFrame(X, columns=["a"] * X.shape[1]),
    "a frame with mixed names": lambda X: pd.DataFrame(
        X, columns=[0, *(f"c{j}" for j in range(1, X.shape[1]))]
    ),
    "a series": lambda X: pd.Series(X[:, 0]),
    "polars with dates": _polars(lambda n: [datetime.date(2026, 1, 1)] * n),
    "polars with durations": _polars(lambda n: [datetime.timedelta(hours=1)] * n),
    "polars with text": _polars(lambda n: ["a"] * n),
    "polars with null": _polars(lambda n: [1.0, None] * (n // 2) + [1.0] * (n % 2)),
    "polars with lists": _polars(lambda n: [[1, 2]] * n),
    "polars with bytes": _polars(lambda n: [b"x"] * n),
    "a polars series": lambda X: pl.Series(X[:, 0]),
    "a lazy polars frame": lambda X: pl.DataFrame(X).lazy(),
    # sparse
    "CSR": sp.csr_array,
    "CSC": sp.csc_array,
    "COO": sp.coo_array,
    "BSR": sp.bsr_array,
    "DIA": sp.dia_array,
    "LIL": sp.lil_array,
    "DOK": sp.dok_array,
    "CSR with explicit zeros": lambda X: _explicit_zeros(X, 2),
    "CSR of explicit zeros alone": lambda X: _explicit_zeros(X, 1),
    "CSR without entries": lambda X: sp.csr_array(X.shape),
    "CSR without rows": lambda X: sp.csr_array((0, X.shape[1])),
    "CSR, a column out of range": _bad_csr("column"),
    "CSR, a negative column": _bad_csr("negative"),
    "CSR, pointers beyond the entries": _bad_csr("pointers"),
    "CSR, falling pointers": _bad_csr("falling"),
    "CSR, an entry twice": _bad_csr("twice"),
    "CSR, unsorted": _bad_csr("unsorted"),
    "CSR, positions that are floats": _bad_csr("float positions"),
    "CSR, fewer values than positions": _bad_csr("short"),
    "CSC, a row out of range": lambda X: _out_of_range(sp.csc_array(X), "indices"),
    "COO, a row out of range": lambda X: _out_of_range(sp.coo_array(X), "row"),
    "BSR, a column out of range": lambda X: _out_of_range(sp.bsr_array(X), "indices"),
    "CSR with NaN": _csr_with(np.nan),
    "CSR with infinity": _csr_with(np.inf),
    "CSR with 1e308": _csr_with(1e308),
    "CSR, float32 with 3e38": _csr_with(3e38, np.float32),
    "CSR of integers": _csr_with(2**62, np.int64),
    "CSR of booleans": lambda X: sp.csr_array(X.mean() < X),
    "CSR of complex numbers": lambda X: sp.csr_array(X + 1j),
    "CSR, 1e200": lambda X: sp.csr_array(_scaled(1e200)(X)),
    "CSR, float32 1e20": lambda X: sp.csr_array(_scaled(1e20, np.float32)(X)),
    "CSR, denormal": lambda X: sp.csr_array(_scaled(1e-320)(X)),
    "sparse with one dimension": lambda X: sp.coo_array(X[0]),
}  # fmt: skip
