"""The splits of a comparison: the defaults, and the splits that each test can use."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
)
from sklearn.utils.multiclass import type_of_target

from gramian.base.errors import DataError
from gramian.base.folds import check_splits
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Table
from gramian.evaluate.splitters.iterative_stratification import IterativeStratifiedKFold

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
_HALVINGS = ("five_by_two_t", "five_by_two_f")


def shared_splits(
    cv: Any, X: Table, y: NDArray[Any], classify: bool, test: str, random_state: int | None
) -> list[Split]:
    """Return the splits that all models share; raise if the test cannot use them."""
    if classify and type_of_target(y) not in ("binary", "multiclass", "multilabel-indicator"):
        raise DataError(
            "compare: classifiers need one class for each row, or labels as a matrix of 0 and 1; "
            f"y is {type_of_target(y)!r}."
        )
    if y.ndim == 2 and test == "mcnemar":
        raise DataError("compare: test='mcnemar' needs one class for each row; use 'corrected_t'.")
    if cv is None and y.ndim == 2 and classify:
        cv = _label_splits(X, y, test, random_state)
    elif cv is None:
        cv = _default_cv(test, classify, random_state)
        folds = cv.get_n_splits() // getattr(cv, "n_repeats", 1)
        _check_rows_for_folds(y, classify, folds)
    try:
        splits = check_splits("compare", cv, X, y, classifier=classify)
    except ValueError as error:
        if "groups" not in str(error):
            raise
        raise DataError(
            f"compare: this cv needs groups: {error} Pass cv=list(cv.split(X, y, groups))."
        ) from error
    if len(splits) < 2:
        raise DataError(f"compare: cv must give at least two splits; got {len(splits)}.")
    if classify and y.ndim == 1:
        _check_classes(y, splits)
    if test in _HALVINGS and not _are_halvings(splits):
        raise DataError(
            f"compare: test={test!r} needs five halvings, each used both ways; leave cv=None, or "
            "pass RepeatedStratifiedKFold(n_splits=2, n_repeats=5)."
        )
    if test == "mcnemar":
        times = np.bincount(np.concatenate([held_out for _, held_out in splits]))
        if times.max() > 1:
            raise DataError(
                "compare: test='mcnemar' needs every row tested at most once; leave cv=None, or "
                "pass a splitter that does not repeat, such as StratifiedKFold(10)."
            )
    return splits


def _default_cv(test: str, classify: bool, random_state: int | None) -> Any:
    if test == "mcnemar":
        return StratifiedKFold(10, shuffle=True, random_state=random_state)
    folds, repeats = (2, 5) if test in _HALVINGS else (5, 2)
    kind = RepeatedStratifiedKFold if classify else RepeatedKFold
    return kind(n_splits=folds, n_repeats=repeats, random_state=random_state)


def _label_splits(X: Table, y: NDArray[Any], test: str, random_state: int | None) -> list[Split]:
    """Return folds that keep the proportion of every label, repeated."""
    folds, repeats = (2, 5) if test in _HALVINGS else (5, 2)
    rng = stream(seed_of(random_state))
    seeds = rng.integers(2**31, size=repeats).tolist()
    each = (IterativeStratifiedKFold(folds, random_state=seed).split(X, y) for seed in seeds)
    return [split for splits in each for split in splits]


def _check_rows_for_folds(y: NDArray[Any], classify: bool, folds: int) -> None:
    if classify:
        classes, count = np.unique(y, return_counts=True)
        if len(classes) < 2:
            raise DataError(
                f"compare: y has only one class, {classes.tolist()[0]!r}; add rows of another "
                "class."
            )
        if count.min() < folds:
            rare = classes.tolist()[count.argmin()]
            raise DataError(
                f"compare: class {rare!r} has {count.min()} rows, fewer than the {folds} folds; "
                "pass a cv with fewer folds, or merge or drop the class."
            )
    elif len(y) < 2 * folds:
        raise DataError(f"compare: {len(y)} rows are too few for {folds} folds; pass more rows.")


def _check_classes(y: NDArray[Any], splits: list[Split]) -> None:
    every = np.unique(y)
    for number, (train, _) in enumerate(splits):
        absent = np.setdiff1d(every, y[train]).tolist()
        if absent:
            raise DataError(
                f"compare: split {number} has no training rows of class {absent[0]!r}; use a "
                "stratified cv with fewer folds, or merge or drop the class."
            )


def _are_halvings(splits: list[Split]) -> bool:
    return len(splits) == 10 and all(
        np.array_equal(np.sort(splits[i][0]), np.sort(splits[i + 1][1]))
        and np.array_equal(np.sort(splits[i][1]), np.sort(splits[i + 1][0]))
        for i in range(0, 10, 2)
    )
