"""Targets: class labels become codes 0 .. K-1, numbers become floats."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array

from gramian.base.errors import DataError
from gramian.base.gate import check_finite, is_float32
from gramian.base.kinds import Estimator

Codes: TypeAlias = npt.NDArray[np.intp]
Classes: TypeAlias = npt.NDArray[Any]


def check_labels(
    estimator: Estimator, y: npt.ArrayLike | None, n_samples: int
) -> tuple[Codes, Classes]:
    """Return the code of each row's class, and the sorted classes.

    ``classes[codes]`` are the labels given.
    """
    name = type(estimator).__name__
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iu":
        labels = y  # the common case needs none of scikit-learn's slower conversions
    else:
        labels = _one_column(name, _present(name, y))
    _check_length(name, labels, n_samples)
    return _encode(name, labels)


def check_label_columns(
    estimator: Estimator, y: npt.ArrayLike | None, n_samples: int
) -> tuple[Codes, list[Classes]]:
    """Return codes, one column per output, and the classes of each output."""
    name = type(estimator).__name__
    labels = np.asarray(_present(name, y))
    if labels.ndim == 0:
        raise _not_per_row(name, labels)
    _check_length(name, labels, n_samples)
    columns = [_encode(name, column) for column in labels.reshape(n_samples, -1).T]
    return np.column_stack([codes for codes, _ in columns]), [classes for _, classes in columns]


def check_targets(
    estimator: Estimator,
    y: npt.ArrayLike | None,
    n_samples: int,
    *,
    columns: bool = False,
    dtype: Any = np.float64,
) -> npt.NDArray[np.floating[Any]]:
    """Return numeric targets of shape (n,), or (n, outputs) where `columns` allows several."""
    name = type(estimator).__name__
    targets = check_array(
        _present(name, y),
        ensure_2d=False,
        dtype=None,
        ensure_all_finite=False,
        ensure_min_samples=0,
        input_name="y",
        estimator=name,
    )
    if targets.dtype.kind not in "fiub":
        try:
            targets = targets.astype(np.float64)
        except ValueError as error:
            raise DataError(
                f"{name}: y must hold numbers; {error}. Use a classifier for labels."
            ) from None
    if not columns or targets.ndim == 0:
        targets = _one_column(name, targets)
    if targets.ndim > 2:
        raise DataError(f"{name}: y must have one or two dimensions; got {targets.ndim}.")
    _check_length(name, targets, n_samples)
    targets = np.require(np.ascontiguousarray(targets, dtype=dtype), requirements="A")
    check_finite(name, "y", targets)
    return targets


def float_type_of(y: Any) -> Any:
    """Return float32 for targets given as float32, float64 for all others."""
    return np.float32 if is_float32(y) else np.float64


def _present(name: str, y: Any) -> Any:
    if y is None:
        raise DataError(
            f"{name} requires y to be passed, but the target y is None; call fit(X, y)."
        )
    return y


def _one_column(name: str, y: Any) -> npt.NDArray[Any]:
    """Return y of shape (n,); a single column is warned of."""
    shape = _shape(y)
    if not (len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)):
        raise _not_per_row(name, y)
    return np.asarray(column_or_1d(y, warn=True))


def _not_per_row(name: str, y: Any) -> DataError:
    shape = _shape(y)
    remedy = "Give one target per row of X."
    if len(shape) == 2:
        remedy = "Fit one model per column, or give y.argmax(axis=1) for one-hot labels."
    return DataError(
        f"{name}: y should be a 1d array, got an array of shape {shape} instead. {remedy}"
    )


def _shape(y: Any) -> tuple[int, ...]:
    return tuple(y.shape) if hasattr(y, "shape") else np.asarray(y).shape


def _check_length(name: str, y: npt.NDArray[Any], n_samples: int) -> None:
    if len(y) != n_samples:
        raise DataError(
            f"{name}: y has {len(y)} rows but X has {n_samples} rows (inconsistent numbers of "
            "samples); give one target per row."
        )


def _encode(name: str, y: npt.NDArray[Any]) -> tuple[Codes, Classes]:
    if y.dtype.kind == "f":
        check_finite(name, "y", y.astype(np.float64, copy=False))
    if y.dtype.kind == "O":
        _check_names(name, y)
    if y.dtype.kind not in "iub":
        try:
            check_classification_targets(y)
        except ValueError as error:
            raise DataError(f"{name}: {error}") from None
    if y.dtype.kind in "iu" and (found := _encode_close(y)) is not None:
        return found
    classes, codes = np.unique(y, return_inverse=True)
    return codes, classes


def _check_names(name: str, y: npt.NDArray[Any]) -> None:
    """Raise where a label is missing, or names and numbers are mixed: they cannot be sorted."""
    values = y.tolist()
    for row, value in enumerate(values):
        equal = value == value  # not for NaN and pandas.NA
        if value is None or not (isinstance(equal, bool | np.bool_) and equal):
            raise DataError(
                f"{name}: Input y contains NaN or None (row {row}), a missing label; drop such "
                "rows."
            )
    named = {isinstance(value, str) for value in values}
    if len(named) > 1:
        raise DataError(
            f"{name}: y mixes strings with other labels; make them all strings, for example with "
            "y.astype(str)."
        )


def _encode_close(y: npt.NDArray[Any]) -> tuple[Codes, Classes] | None:
    """Encode integers that lie close together by counting, which is faster than sorting."""
    low, high = int(y.min()), int(y.max())
    if high - low > min(len(y), 1 << 16) or high > np.iinfo(np.intp).max:
        return None
    shifted = y.astype(np.intp)
    if low != 0:
        shifted -= low
    present = np.bincount(shifted, minlength=high - low + 1) > 0
    classes = (np.flatnonzero(present) + low).astype(y.dtype)
    if len(classes) == len(present):  # no number in between is missing
        return shifted, classes
    return (np.cumsum(present) - 1)[shifted], classes
