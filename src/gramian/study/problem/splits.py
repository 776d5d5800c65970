"""Test rows, and folds for tuning and for comparison.

The test rows are split off once. The others, the development rows, are cut into folds twice, with
different seeds: one set of folds tunes the settings of each model, the other compares the tuned
models, so that the comparison does not reuse the splits of the tuning.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

from gramian.base.errors import DataError
from gramian.base.types import RowNumbers
from gramian.study.problem.problem import LearningProblem
from gramian.study.settings import Settings

Split = tuple[RowNumbers, RowNumbers]
_MANY_ROWS = 20_000  # with at least this many rows, settings are tuned on one fold
_FEW_ROWS = 500  # up to this many rows, settings are tuned on two sets of folds
_SOME_ROWS = 2_000  # up to this many rows, the comparison repeats the folds
_LEAST_SPLITS = 10  # minimum number of splits of a repeated comparison


@dataclass(frozen=True, eq=False)
class Splits:
    """Row indices in the whole table; the folds divide the development rows.

    Attributes
    ----------
    development, test
        Rows for tuning and comparison, and rows for the final test.
    tuning
        (train, validation) pairs for tuning.
    comparing
        (train, validation) pairs for comparison.
    once
        The first pairs of `comparing` in which every row is validated at most once.
    words
        Description of the splits.
    """

    development: RowNumbers
    test: RowNumbers
    tuning: list[Split]
    comparing: list[Split]
    once: int
    words: str

    @property
    def test_over_train(self) -> float:
        """Mean ratio of validation to training rows in the comparison."""
        return float(np.mean([len(test) / len(train) for train, test in self.comparing]))


def split_rows(
    problem: LearningProblem, settings: Settings, held_out: NDArray[np.bool_] | None = None
) -> Splits:
    """Split the rows of a problem at random (by the seed), by groups or by time.

    `held_out` is the mask of the test rows if they are already known.
    """
    n = len(problem.rows)
    if held_out is not None and not 0 < held_out.sum() < n:
        raise DataError("the test set would be empty or contain all rows; change test_size.")
    if settings.time is not None:
        cut = n - (
            max(1, round(settings.test_size * n)) if held_out is None else int(held_out.sum())
        )
        development: RowNumbers = np.arange(cut)
        test: RowNumbers = np.arange(cut, n)
        folds = list(TimeSeriesSplit(min(5, max(2, cut // 4))).split(development))
        words = (
            f"test: the latest {len(test)} rows; folds train on rows before their validation rows"
        )
        return Splits(development, test, folds[-3:], folds, len(folds), words)
    parts = max(2, round(1 / settings.test_size))
    if held_out is None:
        development, test = _folds(problem, np.arange(n), parts, settings.seed)[0]
    else:
        development, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    development, test = _with_every_class(problem, development, test)
    kept, comparing = _repeated(problem, development, settings.seed + 2)
    tuning = _folds(problem, development, kept, settings.seed + 1)
    if len(development) <= _FEW_ROWS:  # one set of folds would be too noisy
        tuning += _folds(problem, development, kept, settings.seed + 2**31)
    elif len(development) > _MANY_ROWS:
        tuning = tuning[:1]
    elif len(development) > _SOME_ROWS:
        tuning = tuning[:3]
    how = "by groups" if problem.groups is not None else "at random"
    if problem.task == "classification":
        how += ", stratified by class"
    words = (
        f"test: {len(test)} of {n} rows, {how}; {kept} folds of the other {len(development)} rows"
        + (f", repeated {len(comparing) // kept} times" if len(comparing) > kept else "")
    )
    return Splits(development, test, tuning, comparing, kept, words)


def comparing_splits(problem: LearningProblem, settings: Settings) -> Splits:
    """Split all rows into folds for a comparison, without test rows."""
    rows = np.arange(len(problem.rows))
    if settings.time is not None:
        folds = list(TimeSeriesSplit(min(5, max(2, len(rows) // 4))).split(rows))
        return Splits(rows, rows[:0], [], folds, len(folds), "folds train on earlier rows")
    kept, comparing = _repeated(problem, rows, settings.seed)
    return Splits(rows, rows[:0], [], comparing, kept, f"{len(comparing)} splits")


def _repeated(problem: LearningProblem, rows: RowNumbers, seed: int) -> tuple[int, list[Split]]:
    """Return the number of folds, and folds, repeated with other seeds if there are few rows."""
    folds = _folds_for(problem, rows, 5)
    repeats = -(-_LEAST_SPLITS // folds) if len(rows) <= _SOME_ROWS else 1
    splits = [s for r in range(repeats) for s in _folds(problem, rows, folds, seed + r)]
    return folds, splits


def _folds_for(problem: LearningProblem, rows: RowNumbers, most: int) -> int:
    """Return the number of folds: fewer if a class has few rows, or if there are few groups."""
    if problem.groups is not None:
        found = len(np.unique(problem.groups[rows]))
        if found < 2:
            raise DataError("groups: at least three distinct groups are needed.")
        return min(most, found)
    if problem.task == "classification":
        counts = np.bincount(problem.y[rows])
        least = int(counts[counts > 0].min())
        return most if least < 2 else min(most, max(2, least))
    return min(most, len(rows) // 2)


def _folds(problem: LearningProblem, rows: RowNumbers, parts: int, seed: int) -> list[Split]:
    splitter: Any
    seed %= 2**32
    groups = None
    if problem.groups is not None:
        groups = problem.groups[rows]
        if len(np.unique(groups)) < 2:
            raise DataError("groups: at least three distinct groups are needed.")
        parts = min(parts, len(np.unique(groups)))
        if problem.task == "classification":
            splitter = StratifiedGroupKFold(parts, shuffle=True, random_state=seed)
        else:
            splitter = GroupKFold(parts, shuffle=True, random_state=seed)
    elif problem.task == "classification" and np.bincount(problem.y[rows]).max() >= parts:
        splitter = StratifiedKFold(parts, shuffle=True, random_state=seed)
    else:
        splitter = KFold(parts, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes with fewer rows than folds
        target = problem.y[rows] if len(problem.y) else None
        found = list(splitter.split(rows, target, groups))
    return [(rows[train], rows[test]) for train, test in found]


def _with_every_class(problem: LearningProblem, development: RowNumbers, test: RowNumbers) -> Split:
    """Move the rows of classes found only in the test rows to the development rows."""
    if problem.task != "classification":
        return development, test
    only = ~np.isin(problem.y[test], problem.y[development])
    return np.sort(np.r_[development, test[only]]), test[~only]
