"""Targets and weights that should not be; each function takes the good ones."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse as sp

from tests.fuzz.wrong_tables import DAYS, HUGE, NoArray


def _with(value: Any, dtype: Any = object) -> Callable[[Any], Any]:
    """Put one value in the midst."""

    def change(y: Any) -> Any:
        y = y.astype(dtype)
        y[len(y) // 2] = value
        return y

    return change


def _all(value: Any, dtype: Any = np.float64) -> Callable[[Any], Any]:
    return lambda y: np.full(len(y), value, dtype=dtype)


def _spread(factor: float, dtype: Any = np.float64) -> Callable[[Any], Any]:
    """Let distinct numbers have at most this size."""
    return lambda y: (np.cos(np.arange(len(y))) * factor).astype(dtype)


TARGETS: dict[str, Callable[[Any], Any]] = {
    "None": lambda y: None,
    "a number": lambda y: 3.5,
    "a string": lambda y: "class",
    "an empty list": lambda y: [],
    "a row less": lambda y: y[:-1],
    "a row more": lambda y: np.concatenate([y, y[:1]]),
    "a column": lambda y: y[:, None],
    "two columns": lambda y: np.column_stack([y, y]),
    "two columns of numbers": lambda y: np.arange(2.0 * len(y)).reshape(-1, 2),
    "three dimensions": lambda y: y[:, None, None],
    "no columns": lambda y: np.empty((len(y), 0)),
    "ragged lists": lambda y: [[1, 2], *[[1]] * (len(y) - 1)],
    "sets": lambda y: [{"a", "b"} if i % 2 else {"a"} for i in range(len(y))],
    "empty sets": lambda y: [set() for _ in range(len(y))],
    "a dict": lambda y: {"a": 1},
    "a set": lambda y: {1, 2},
    "a generator": lambda y: (v for v in y),
    "a range": lambda y: range(len(y)),
    "an array that fails": lambda y: NoArray(),
    "a matrix of 0 and 1": lambda y: np.eye(3)[np.arange(len(y)) % 3],
    "CSR": lambda y: sp.csr_array(np.eye(3)[np.arange(len(y)) % 3]),
    "CSR of numbers": lambda y: sp.csr_array(np.arange(2.0 * len(y)).reshape(-1, 2)),
    "dates": lambda y: DAYS + np.arange(len(y)),
    "few dates": lambda y: DAYS + np.arange(len(y)) % 3,
    "dates with NaT": lambda y: np.array(["NaT", *["2026-01-01"] * (len(y) - 1)], dtype="M8[D]"),
    "durations": lambda y: (np.arange(len(y)) % 3).astype("timedelta64[D]"),
    "Python dates": lambda y: [datetime.datetime(2026, 1, 1 + i % 3) for i in range(len(y))],
    "a series of dates": lambda y: pd.Series(pd.date_range("2026-01-01", periods=len(y))),
    "a series of dates of a zone": lambda y: pd.Series(
        pd.date_range("2026-01-01", periods=len(y), tz="UTC")
    ),
    "a series of durations": lambda y: pd.Series(pd.to_timedelta(np.arange(len(y)), unit="h")),
    "a series of periods": lambda y: pd.Series(
        pd.period_range("2026-01", periods=len(y), freq="M")
    ),
    "a polars series of dates": lambda y: pl.Series([datetime.date(2026, 1, 1)] * len(y)),
    "complex": lambda y: np.arange(len(y)) * 1j,
    "complex without an imaginary part": lambda y: np.arange(len(y)).astype(complex),
    "text": lambda y: np.array(["a", "b"] * len(y))[: len(y)],
    "numbers as text": lambda y: np.arange(len(y)).astype(str),
    "bytes": lambda y: np.array([b"a", b"b"] * len(y))[: len(y)],
    "numbers": lambda y: np.arange(len(y)) / 7,
    "whole numbers as floats": lambda y: np.arange(len(y)) % 3 + 0.0,
    "booleans": lambda y: np.arange(len(y)) % 2 == 0,
    "one class": _all(1, np.int64),
    "a class of one row": lambda y: np.where(np.arange(len(y)) == 5, "rare", "common"),
    "two classes of one row": lambda y: np.clip(2 - np.arange(len(y)), 0, 2),
    "classes of two rows": lambda y: np.arange(len(y)) // 2,
    "all distinct": lambda y: np.arange(len(y)),
    "large distinct integers": lambda y: np.arange(len(y)) * 2**55,
    "the largest integers": lambda y: np.array([2**63 - 1, -(2**63)] * len(y))[: len(y)],
    "the largest unsigned integers": lambda y: 2**64 - 1 - np.arange(len(y), dtype=np.uint64) % 2,
    "huge integers": lambda y: [HUGE + i % 2 for i in range(len(y))],
    "a huge integer": lambda y: [HUGE, *[1, 2] * len(y)][: len(y)],
    "integers beyond 64 bits": lambda y: [2**70 + i % 2 for i in range(len(y))],
    "a word among them": lambda y: np.array(["tall", *[1, 2] * len(y)], dtype=object)[: len(y)],
    "mixed types": lambda y: [1, "a", 2.5, None, b"x"] * (len(y) // 5) + [1] * (len(y) % 5),
    "None among them": _with(None),
    "NaN among them": lambda y: [np.nan, *[1.0, 2.0] * len(y)][: len(y)],
    "NaN among labels": _with(np.nan),
    "infinity among them": lambda y: [np.inf, *[1.0, 2.0] * len(y)][: len(y)],
    "pandas.NA among them": _with(pd.NA),
    "NaT among them": _with(pd.NaT),
    "a list among them": lambda y: np.array([[1], *[2] * (len(y) - 1), None], object)[: len(y)],
    "a dict among them": lambda y: np.array([{}, *[1, 2] * len(y)], object)[: len(y)],
    "tuples": lambda y: [(1, 2)] * len(y),
    "decimals": lambda y: [Decimal(i % 3) for i in range(len(y))],
    "objects": lambda y: y.astype(object),
    "numbers as objects": lambda y: (np.arange(len(y)) % 3).astype(object),
    "half precision": lambda y: (np.arange(len(y)) % 3).astype(np.float16),
    "long double": lambda y: (np.arange(len(y)) % 3).astype(np.longdouble),
    "long double beyond double": lambda y: np.arange(len(y)) * np.longdouble("1e4000"),
    "a structured array": lambda y: np.zeros(len(y), dtype="f8,f8"),
    "a masked array": lambda y: np.ma.array(np.arange(len(y)) % 3, mask=np.arange(len(y)) < 2),
    "void": lambda y: np.zeros(len(y), dtype="V8"),
    "nullable integers": lambda y: pd.Series(pd.array([1, 2] * len(y), "Int64")[: len(y)]),
    "nullable integers with NA": lambda y: pd.Series(
        pd.array([1, None] * len(y), "Int64")[: len(y)]
    ),
    "categories": lambda y: pd.Series(pd.Categorical(["a", "b"] * len(y))[: len(y)]),
    "categories with NA": lambda y: pd.Series(pd.Categorical(["a", None] * len(y))[: len(y)]),
    "a frame": lambda y: pd.DataFrame({"y": np.arange(len(y)) % 3}),
    "polars with null": lambda y: pl.Series([1, None] * len(y))[: len(y)],
    "zeros": _all(0.0),
    "negative": lambda y: -1.0 - np.arange(len(y)),
    "1.7e308": _spread(1.7e308),
    "1e300": _spread(1e300),
    "1e160": _spread(1e160),
    "1e100": _spread(1e100),
    "1e-100": _spread(1e-100),
    "1e-160": _spread(1e-160),
    "1e-300": _spread(1e-300),
    "denormal": _spread(1e-320),
    "float32 3e38": _spread(3e38, np.float32),
    "float32 1e20": _spread(1e20, np.float32),
    "float32 denormal": _spread(1e-44, np.float32),
    "far from zero": lambda y: 1e15 + np.cos(np.arange(len(y))),
    "positive 1e300": lambda y: np.abs(np.cos(np.arange(len(y)))) * 1e300,
    "one of 1e308": lambda y: np.array([1e308, *[1.0, 2.0] * len(y)])[: len(y)],
}  # fmt: skip

WEIGHTS: dict[str, Callable[[Any], Any]] = {
    "negative": _all(-1.0),
    "one negative": _with(-1.0, float),
    "NaN": _with(np.nan, float),
    "infinite": _with(np.inf, float),
    "zero": _all(0.0),
    "one is not zero": lambda w: np.r_[1.0, np.zeros(len(w) - 1)],
    "one class has none": lambda w: (np.arange(len(w)) % 3 > 0).astype(float),
    "1.7e308": _all(1.7e308),
    "1e300": _all(1e300),
    "1e160": _all(1e160),
    "1e-160": _all(1e-160),
    "1e-300": _all(1e-300),
    "5e-324": _all(5e-324),
    "one is 5e-324, the others 0": lambda w: np.r_[5e-324, np.zeros(len(w) - 1)],
    "one is 1e300": _with(1e300, float),
    "one is 1e-300": _with(1e-300, float),
    "1e300 and 5e-324": lambda w: np.where(np.arange(len(w)) % 2 == 0, 1e300, 5e-324),
    "all sizes": lambda w: 10.0 ** np.linspace(-300, 300, len(w)),
    "wild": lambda w: 10.0 ** (100 * np.cos(np.arange(len(w)))),
    "float32 3e38": _all(3e38, np.float32),
    "float32 denormal": _all(1e-45, np.float32),
    "a row less": lambda w: w[:-1],
    "a row more": lambda w: np.r_[w, 1.0],
    "empty": lambda w: [],
    "a column": lambda w: w[:, None],
    "two columns": lambda w: np.column_stack([w, w]),
    "a number": lambda w: 2.5,
    "a negative number": lambda w: -2.5,
    "NaN alone": lambda w: np.nan,
    "1e300 alone": lambda w: 1e300,
    "5e-324 alone": lambda w: 5e-324,
    "a huge integer alone": lambda w: HUGE,
    "a huge integer": lambda w: [HUGE, *[1] * (len(w) - 1)],
    "True": lambda w: True,
    "booleans": lambda w: np.arange(len(w)) % 2 == 0,
    "integers": lambda w: np.arange(len(w)),
    "text": lambda w: ["heavy"] * len(w),
    "numbers as text": lambda w: ["1"] * len(w),
    "a string": lambda w: "balanced",
    "None among them": _with(None),
    "a list among them": lambda w: [[1], *[1] * (len(w) - 1)],
    "complex": lambda w: w + 1j,
    "dates": lambda w: DAYS + np.arange(len(w)),
    "durations": lambda w: np.ones(len(w), dtype="timedelta64[D]"),
    "a series of dates": lambda w: pd.Series(pd.date_range("2026-01-01", periods=len(w))),
    "a dict": lambda w: {0: 1.0},
    "a generator": lambda w: (v for v in w),
    "an array that fails": lambda w: NoArray(),
    "CSR": lambda w: sp.csr_array(w[None]),
    "long double beyond double": lambda w: w * np.longdouble("1e4000"),
    "a structured array": lambda w: np.zeros(len(w), dtype="f8,f8"),
    "nullable with NA": lambda w: pd.Series(pd.array([1.0, None] * len(w), "Float64")[: len(w)]),
    "a frame": lambda w: pd.DataFrame({"w": w}),
    "decimals": lambda w: [Decimal(1)] * len(w),
}
