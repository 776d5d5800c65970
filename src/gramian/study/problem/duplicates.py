"""Rows that are copies of one another, target included."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.base.types import RowNumbers
from gramian.data.columns import labels_of, numbers_of
from gramian.study.problem.problem import LearningProblem


def duplicates_across(
    problem: LearningProblem, development: RowNumbers, test: RowNumbers
) -> NDArray[np.bool_]:
    """Return for each test row whether it duplicates a development row."""
    seen = set(_row_keys(problem, development))
    return np.array([key in seen for key in _row_keys(problem, test)], dtype=bool)


def first_of_duplicates(problem: LearningProblem, rows: RowNumbers) -> NDArray[np.bool_]:
    """Return for each row whether it is the first of its copies."""
    keys = _row_keys(problem, rows)
    first = {key: place for place, key in reversed(list(enumerate(keys)))}
    return np.array([first[key] == place for place, key in enumerate(keys)], dtype=bool)


def _row_keys(problem: LearningProblem, rows: RowNumbers) -> list[bytes]:
    """Return a key for each row; equal rows have equal keys."""
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)[rows]
    numbers = [n for n, kind in problem.kinds.items() if kind == "numeric"]
    block = np.column_stack([numbers_of(frame, numbers), problem.y[rows].astype(np.float64)])
    keys = [row.tobytes() for row in np.ascontiguousarray(block)]
    for name, kind in problem.kinds.items():
        if kind != "numeric":
            texts = [str(v).encode() for v in labels_of(frame[name])]
            keys = [key + b"\0" + text for key, text in zip(keys, texts, strict=True)]
    return keys
