"""Targets: labels become codes 0 .. K-1, label sets a matrix of True and False, numbers floats."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array

from gramian.base.conversions import (
    array_of,
    check_positions,
    refuse_masked,
    refuse_times,
    translated,
)
from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_finite, is_float32
from gramian.base.kinds import Estimator

Codes: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
Classes: TypeAlias = npt.NDArray[Any]
LabelSets: TypeAlias = np.ndarray[
    tuple[int, ...], np.dtype[np.bool_]
]  # (n, labels): whether a row has a label
_COLLECTIONS = (set, frozenset, list, tuple)


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


def check_label_outputs(
    estimator: Estimator, y: npt.ArrayLike | None, n_samples: int
) -> tuple[Codes, Any, bool]:
    """Return codes, classes, and whether there are several outputs.

    For several outputs, there is one column of codes and one array of classes for each.
    """
    labels = None if y is None else array_of(type(estimator).__name__, "y", y)
    if labels is None or labels.ndim != 2 or labels.shape[1] < 2:
        return *check_labels(estimator, y, n_samples), False
    name = type(estimator).__name__
    _check_length(name, labels, n_samples)
    columns = [_encode(name, column) for column in labels.T]
    return np.column_stack([codes for codes, _ in columns]), [found for _, found in columns], True


def holds_label_sets(y: Any) -> bool:
    """Return whether y gives each row a set of labels: a (sparse) matrix of 0 and 1, or sets."""
    if y is None or sp.issparse(y) or _sets(y) is not None:
        return y is not None
    try:
        labels = array_of("", "y", y)
    except DataError:  # the check of labels reports why, with the owner's name
        return False
    if labels.ndim != 2 or labels.shape[1] < 2:
        return False
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        return True  # `check_label_sets` names what is missing
    return bool(type_of_target(labels) == "multilabel-indicator")


def check_label_sets(owner: object, y: Any, n_samples: int) -> tuple[LabelSets, Classes]:
    """Return which labels each row has, and the labels, sorted.

    `y` is a matrix of 0 and 1, dense or sparse, whose labels are its column numbers, or a sequence
    of sets of labels (lists do if they hold strings, or where their lengths differ).
    """
    name = type(owner).__name__
    sets = _sets(_present(name, y))
    if sets is not None:
        return _members(name, sets, n_samples)
    if sp.issparse(y):
        check_positions(name, "y", y)
    matrix = y.toarray() if sp.issparse(y) else array_of(name, "y", y)
    others = np.argwhere(~np.isin(matrix, (0, 1)))
    if matrix.ndim != 2 or len(others):
        found = f", with {matrix[tuple(others[0])]} in row {others[0][0]}" if len(others) else ""
        raise DataError(
            f"{name}: y must be a matrix of 0 and 1 with a column for each label, or a list of "
            f"sets of labels; got an array of shape {matrix.shape}{found}."
        )
    _check_length(name, matrix, n_samples)
    return matrix.astype(bool), np.arange(matrix.shape[1])


def lists_sets(y: npt.ArrayLike) -> bool:
    """Return whether y names the labels of each row, instead of being a matrix of 0 and 1."""
    return _sets(y) is not None


def _sets(y: Any) -> list[list[Any]] | None:
    """Return the labels of each row where y is a sequence of sets, None for everything else."""
    if hasattr(y, "shape"):
        y = np.asarray(y).tolist() if len(y.shape) == 1 and y.dtype == object else None
    if not isinstance(y, list | tuple) or not all(isinstance(r, _COLLECTIONS) for r in y):
        return None
    sets = any(isinstance(row, set | frozenset) for row in y) or len({len(row) for row in y}) > 1
    named = any(isinstance(row[0], str) for row in y if not sets and len(row) > 1)
    return [list(row) for row in y] if sets or named else None  # the rows of a matrix


def _members(name: str, rows: list[list[Any]], n_samples: int) -> tuple[LabelSets, Classes]:
    """Return the matrix of sets of labels."""
    sizes = [len(row) for row in rows]
    labels = [label for row in rows for label in row]
    named = any(isinstance(label, str) for label in labels)
    flat = np.array(labels, dtype=object if named else None)  # keeps strings and numbers apart
    if not len(flat):
        raise DataError(f"{name}: y has no labels; at least one row needs one.")
    codes, classes = _encode(name, flat)
    matrix = np.zeros((len(rows), len(classes)), dtype=bool)
    matrix[np.repeat(np.arange(len(rows)), sizes), codes] = True
    _check_length(name, matrix, n_samples)
    return matrix, classes


def check_targets(
    estimator: Estimator,
    y: npt.ArrayLike | None,
    n_samples: int,
    *,
    columns: bool = False,
    dtype: Any = np.float64,
) -> npt.NDArray[np.floating[Any]]:
    """Return numeric targets of shape (n,), or (n, outputs) if `columns` allows several."""
    name = type(estimator).__name__
    raw = _present(name, y)
    shape = _shape(name, raw)
    if len(shape) > 2:
        raise DataError(
            f"{name}: y must have one or two dimensions; got {len(shape)}. Pass a row of "
            "targets for each row of X."
        )
    targets = raw if _is_plain(raw) else _converted(name, raw)
    if targets.dtype.kind not in "fiub":
        refuse_times(name, "y", targets)
        targets = _numbers(name, targets)
    if not columns or targets.ndim == 0:
        targets = _one_column(name, targets)
    _check_length(name, targets, n_samples)
    targets = np.require(np.ascontiguousarray(targets, dtype=dtype), requirements="A")
    check_finite(name, "y", targets)
    return targets


def _is_plain(y: Any) -> bool:
    """Return whether y is a vector of floats, which needs none of scikit-learn's checks."""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype in (np.float64, np.float32)


def _converted(name: str, raw: Any) -> npt.NDArray[Any]:
    """Return targets of any form as an array."""
    refuse_masked(name, "y", raw)
    refuse_times(name, "y", raw)
    return translated(
        name,
        "y",
        lambda: check_array(
            raw,
            ensure_2d=False,
            dtype=None,
            ensure_all_finite=False,
            ensure_min_samples=0,
            input_name="y",
            estimator=name,
        ),
        raw,
    )


def _numbers(name: str, targets: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Convert text and objects to floats; raise for labels, which need a classifier."""
    try:
        return translated(name, "y", lambda: targets.astype(np.float64), targets)
    except DataError as error:
        remedy = "" if "float: " not in str(error) else " Use a classifier for labels."
        raise type(error)(str(error) + remedy) from None


def float_type_of(y: npt.ArrayLike) -> Any:
    """Return float32 for targets given as float32, float64 for all others."""
    return np.float32 if is_float32(y) else np.float64


def _present(name: str, y: Any) -> Any:
    if y is None:
        raise DataError(
            f"{name} requires y to be passed, but the target y is None; call fit(X, y), or "
            "pass chunks of (X, y)."
        )
    return y


def _one_column(name: str, y: Any) -> npt.NDArray[Any]:
    """Return y of shape (n,); warn about a single column."""
    shape = _shape(name, y)
    if not (len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)):
        raise _not_per_row(name, y)
    return translated(name, "y", lambda: np.asarray(column_or_1d(y, warn=True)), y)


def _not_per_row(name: str, y: npt.ArrayLike) -> DataError:
    shape = _shape(name, y)
    remedy = "Pass one target per row of X."
    if len(shape) == 2:
        remedy = "Fit one model per column, or pass y.argmax(axis=1) for one-hot labels."
    return DataError(
        f"{name}: y should be a 1d array, got an array of shape {shape} instead. {remedy}"
    )


def _shape(name: str, y: npt.ArrayLike) -> tuple[int, ...]:
    return tuple(y.shape) if hasattr(y, "shape") else array_of(name, "y", y).shape


def _check_length(name: str, y: npt.NDArray[Any], n_samples: int) -> None:
    if len(y) != n_samples:
        raise DataError(
            f"{name}: y has {len(y)} rows but X has {n_samples} rows (inconsistent numbers of "
            "samples); pass one target per row."
        )


def _encode(name: str, y: npt.NDArray[Any]) -> tuple[Codes, Classes]:
    if y.dtype.kind == "V":
        raise DataError(
            f"{name}: y must contain one label per row; got a structured array. Pass one "
            "field of it."
        )
    if y.dtype.kind == "f":
        check_finite(name, "y", y.astype(np.float64, copy=False))
    if y.dtype.kind == "O":
        _check_objects(name, y)
    if y.dtype.kind not in "iub":
        translated(name, "y", lambda: check_classification_targets(y))
    if y.dtype.kind in "iu" and (found := _encode_close(y)) is not None:
        return found
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in y.tolist()})
        raise DataError(
            f"{name}: y must contain labels that can be sorted, all strings or all numbers; got "
            f"{', '.join(kinds)}. Make them strings, for example with y.astype(str)."
        ) from None
    return codes, classes


def _check_objects(name: str, y: npt.NDArray[Any]) -> None:
    """Raise if a label is missing, or if strings and numbers are mixed, which cannot be sorted."""
    values = y.tolist()
    for row, value in enumerate(values):
        if isinstance(value, np.ndarray | list | dict | set):
            raise DataError(
                f"{name}: y must contain one label per row; got an entry of type "
                f"{type(value).__name__} (row {row}). Pass strings or numbers."
            )
        equal = value == value  # False for NaN and pandas.NA
        if value is None or not (isinstance(equal, bool | np.bool_) and equal):
            raise DataError(
                f"{name}: Input y contains NaN or None (row {row}); drop rows with missing labels."
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


def unit_exponent(size: npt.ArrayLike, ordinary: int = 60) -> npt.NDArray[np.intc]:
    """Return k of the unit 2^k for targets of this size; 0 between 2^-60 and 2^60.

    `np.ldexp(y, -k)` counts targets in that unit without rounding, so that their squares neither
    overflow nor vanish.

    Examples
    --------
    >>> unit_exponent([3.0, 1e-100, 1e200]).tolist()
    [0, -332, 665]
    """
    exponent = np.frexp(size)[1]
    return np.where(np.abs(exponent) > ordinary, exponent, 0)


def check_target_size(estimator: Any, table: Any, y: npt.NDArray[Any]) -> None:
    """Raise if y or sums of it overflow the float type of X, which is that of predictions."""
    single = is_float32(table)
    most = float(np.finfo(np.float32).max) if single else 1e300
    size = float(np.abs(y).max(initial=0.0))
    if size > most:
        where = " where X is float32, as predictions are then" if single else ""
        remedy = "Pass X as float64, or divide" if single else "Divide"
        raise DataError(
            f"{type(estimator).__name__}: y must contain numbers of size {most:.3g} at most"
            f"{where}; got {size:.3g}. {remedy} y by a constant, and multiply predictions by it."
        )
