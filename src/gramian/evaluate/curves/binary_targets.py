"""Checks of binary targets, scores and predictions."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError
from gramian.base.types import Floats

Truth = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def positives(owner: str, y_true: ArrayLike, positive: Any = None) -> Truth:
    """Return which rows are positive; the positive class defaults to the larger of two labels."""
    labels = np.asarray(y_true)
    classes = np.unique(labels)
    if labels.ndim != 1 or len(classes) < 2:
        raise DataError(
            f"{owner}: y_true must be one-dimensional with both classes; got shape "
            f"{labels.shape} with {classes.tolist()!r}. If a fold has only one class, use "
            "sklearn.model_selection.StratifiedKFold or more rows."
        )
    if positive is None:
        if len(classes) > 2:
            raise DataError(
                f"{owner}: y_true has {len(classes)} classes, {classes[:6].tolist()!r}; set "
                "positive to one of them, the others are then negative."
            )
        positive = classes[-1]
    mask: Truth = labels == positive
    if not mask.any():
        raise DataError(f"{owner}: y_true has no row of the positive class {positive!r}.")
    return mask


def check_scores(owner: str, score: ArrayLike, rows: int, *, name: str = "score") -> Floats:
    """Return one finite number for each row."""
    values = np.asarray(score, dtype=np.float64)
    if values.shape != (rows,):
        raise DataError(
            f"{owner}: {name} must have one number for each of the {rows} rows; got shape "
            f"{values.shape}. If these are from predict_proba, pass the column of the positive "
            "class."
        )
    if not np.isfinite(values).all():
        at = int(np.argmax(~np.isfinite(values)))
        raise DataError(f"{owner}: {name} contains {values[at]} at row {at}; pass finite numbers.")
    return values


def check_same_length(owner: str, **arrays: ArrayLike) -> list[NDArray[Any]]:
    """Return one-dimensional, non-empty arrays of the same length."""
    found = [np.asarray(array) for array in arrays.values()]
    shapes = [array.shape for array in found]
    if found[0].ndim != 1 or len(found[0]) == 0 or len(set(shapes)) != 1:
        listed = ", ".join(f"{name} {shape}" for name, shape in zip(arrays, shapes, strict=True))
        raise DataError(f"{owner}: arrays must have one entry per row; got shapes {listed}.")
    return found
