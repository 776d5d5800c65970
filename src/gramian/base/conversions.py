"""Conversions to numeric arrays, with error messages that name the cause.

NumPy and scikit-learn raise many kinds of error when a table, targets or weights contain something
that is not a number. `translated` runs a conversion and turns all of them into an error that names
the estimator and the first entry that is not a number, and says what to do.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from narwhals.exceptions import DuplicateError

from gramian.base.errors import DataError, ParameterError

_T = TypeVar("_T")

_ENCODE = "Encode text as numbers first, see sklearn.preprocessing.OneHotEncoder."
_TIMES = (
    "Turn times into numbers first, for example "
    '(t - numpy.datetime64("2000-01-01")) / numpy.timedelta64(1, "D") for days.'
)
_PLAIN = frozenset({float, int, bool, str, type(None), np.float64, np.float32, np.int64, np.bool_})

# What to do about an error of scikit-learn's, by a phrase of its message.
_REMEDIES = {
    "could not convert": _ENCODE,
    "is not compatible with arrays of bytes/strings": _ENCODE,
    "0 sample(s)": "Pass at least one row.",
    "0 feature(s)": "Pass at least one column.",
    "is expecting": "Pass the columns seen in fit.",
    "feature names should match": "Pass the columns seen in fit, in the same order.",
    "Complex data not supported": "Give real and imaginary parts as columns of their own.",
    "Feature names are only supported": "",
    "Sparse data was passed": "",
    "np.matrix is not supported": "",
    "Expected 2D array": "",
    "Found array with dim": "Pass one row per sample and one column per feature.",
}


class EntryError(DataError, TypeError):
    """An entry has a non-numeric type; also a TypeError, as scikit-learn's checks require."""


def translated(owner: str, array: str, check: Callable[[], _T], values: Any = None) -> _T:
    """Run one of scikit-learn's conversions or checks; add the owner and a remedy to its errors.

    `values` are what is converted, for a message that names the entry at fault.
    """
    try:
        return check()
    except (DataError, MemoryError):
        raise
    except Exception as error:
        text = re.sub(r"dtype\('(\w+)'\)", r"\1", str(error).strip())
        text = re.sub(
            r"unhashable type: '(\w+)'", r"entries must be numbers or strings; got a \1", text
        )
        remedy = next((r for phrase, r in _REMEDIES.items() if phrase in text), None)
        if remedy is None and (found := _unreadable(owner, array, values)) is not None:
            raise found from None
        kind = EntryError if isinstance(error, TypeError) else DataError
        stop = "" if text.endswith((".", "]")) else "."
        who = owner if text.startswith("Sparse data") else f"{owner}: {array}"
        raise kind(f"{who}: {text}{stop} {remedy or ''}".rstrip()) from None


def array_of(owner: str, array: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Convert any value that NumPy can read to an array, or raise an error that names the owner.

    Examples
    --------
    >>> array_of("Ridge", "y", [1, 2])
    array([1, 2])
    """
    refuse_masked(owner, array, values)
    return translated(owner, array, lambda: np.asarray(values), values)


def parameter_array(
    owner: str, name: str, values: Any, dtype: Any = np.float64
) -> npt.NDArray[Any]:
    """Return a parameter's numbers as a new array; with dtype=None they keep their type.

    Examples
    --------
    >>> parameter_array("GaussianNB", "priors", ["a", "b"])
    Traceback (most recent call last):
    gramian.base.errors.ParameterError: GaussianNB: priors must be an array of numbers; got \
['a', 'b'].
    """
    try:
        return np.array(values, dtype=dtype, order="C")
    except (TypeError, ValueError, OverflowError):
        text = repr(values)
        shortened = text if len(text) <= 200 else f"{text[:200]}..."
        raise ParameterError(
            f"{owner}: {name} must be an array of numbers; got {shortened}."
        ) from None


def dense_of(owner: str, array: str, values: Any) -> npt.NDArray[Any]:
    """Convert an array, a list, a frame or a sparse matrix to an array of floats; float32 stays.

    Examples
    --------
    >>> dense_of("PCA", "X", sp.csr_array([[1, 0]]))
    array([[1., 0.]])
    """
    if sp.issparse(values):
        check_positions(owner, array, values)
        values = values.toarray()
    refuse_masked(owner, array, values)
    refuse_times(owner, array, values)
    table = array_of(owner, array, values)
    if table.dtype == np.float32:
        return table
    if table.dtype.kind == "c":
        raise DataError(f"{owner}: {array} must contain real numbers; got complex ones.")
    return translated(owner, array, lambda: table.astype(np.float64), table)


def check_positions(owner: str, array: str, X: Any) -> None:
    """Raise if a sparse matrix has an entry outside its shape: SciPy would write beyond its memory.

    Formats whose positions cannot be out of range are not checked.
    """
    if X.format in ("csr", "csc", "bsr"):
        translated(owner, array, lambda: X.check_format(full_check=True))
    elif X.format == "coo":
        for positions, size in zip(X.coords, X.shape, strict=True):
            if len(positions) and not 0 <= positions.min() <= positions.max() < size:
                raise DataError(
                    f"{owner}: {array} is a sparse matrix of shape {X.shape} with an entry outside "
                    "it. Build it again from valid row and column numbers."
                )


def refuse_masked(owner: str, array: str, values: Any) -> None:
    """Raise if a masked array has masked entries: converting it would silently drop the mask."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        count = int(np.ma.getmaskarray(values).sum())
        raise DataError(
            f"{owner}: {array} is a masked array with {count} masked entries, "
            f"which cannot be used; fill them first, for example with {array}.filled(value)."
        )


def refuse_times(owner: str, array: str, values: npt.ArrayLike) -> None:
    """Raise if an array, a series or a column of a frame contains dates, times or durations.

    NumPy would convert them to numbers in arbitrary units.

    Examples
    --------
    >>> refuse_times("Ridge", "y", np.array(["2026-01-01"], dtype="datetime64[D]"))
    Traceback (most recent call last):
    gramian.base.conversions.EntryError: Ridge: y must contain numbers; got datetime64[D]. Turn \
times into numbers first, for example (t - numpy.datetime64("2000-01-01")) / \
numpy.timedelta64(1, "D") for days.
    """
    dtype = getattr(values, "dtype", None)
    found: object = None
    where = ""
    if isinstance(values, list | tuple) and values:  # of NumPy dates
        found = _time_in(values)
    elif isinstance(dtype, np.dtype) and dtype.kind == "O":
        found = _time_in(np.asarray(values).ravel().tolist())
    elif isinstance(dtype, np.dtype):
        found = dtype if dtype.kind in "mM" else None
    elif hasattr(values, "dtypes") or hasattr(values, "schema") or dtype is not None:
        try:
            frame = nw.from_native(values, eager_only=True, allow_series=True, pass_through=True)
        except DuplicateError:  # a repeated name, which other checks report
            return
        if isinstance(frame, nw.DataFrame):
            types = frame.schema.items()
            kinds = ((name, _time_type(frame.get_column, name, kind)) for name, kind in types)
            times = ((name, kind) for name, kind in kinds if kind is not None)
            name, found = next(times, (None, None))
            where = f" in column {name!r}"
        elif isinstance(frame, nw.Series):
            found = _time_type(lambda _: frame, "", frame.dtype)
    if found is not None:
        raise EntryError(f"{owner}: {array} must contain numbers; got {found}{where}. {_TIMES}")


def _time_type(column: Callable[[str], Any], name: str, kind: Any) -> object:
    """Return the type of dates, times or durations in a column; None if there are none."""
    if kind.is_temporal():
        return kind
    return _time_in(column(name).to_list()) if kind == nw.Object else None


def _time_in(values: Sequence[Any]) -> np.dtype[Any] | None:
    """Return the type of the first of NumPy's dates in a list, or a list of rows; None without."""
    if _PLAIN.issuperset(map(type, values)):  # the usual case, ten times as fast
        return None
    for value in values:
        dtype = getattr(value, "dtype", None)
        if isinstance(dtype, np.dtype) and dtype.kind in "mM":
            return dtype
        if isinstance(value, np.ndarray) and value.dtype.kind == "O":
            value = value.ravel().tolist()
        if isinstance(value, list | tuple) and (found := _time_in(value)) is not None:
            return found
    return None


def _unreadable(owner: str, array: str, values: Any) -> DataError | None:
    """Return an error that says why values are not numbers; None if no entry is at fault."""
    if values is None or sp.issparse(values):
        return None
    kind = type(values).__name__
    if kind == "LazyFrame":
        return DataError(f"{owner}: {array} is a lazy frame; call its collect() first.")
    shape = getattr(values, "shape", None)
    try:
        entries = np.asarray(values if shape is None or len(shape) < 3 else [], dtype=object)
    except Exception as error:
        cause = str(error).strip().rstrip(".")
        if "inhomogeneous" in cause or "setting an array element" in cause:
            return _ragged(owner, array, values)
        return DataError(f"{owner}: {array}, of type {kind}, cannot be read as an array: {cause}.")
    if entries.ndim == 0:
        dtype = getattr(values, "dtype", None)
        what = f"an array of {dtype}" if isinstance(dtype, np.dtype) else f"a {kind}"
        return EntryError(
            f"{owner}: {array} must be an array, a list or a frame of numbers; got {what}."
        )
    if getattr(getattr(values, "dtype", None), "kind", "") == "V":
        return EntryError(
            f"{owner}: {array} must contain numbers; got entries of type {values.dtype}. Pass each "
            "field as a column; see numpy.lib.recfunctions.structured_to_unstructured."
        )
    rows = {len(v) if isinstance(v, list | tuple) else -1 for v in entries.ravel()}
    if entries.ndim == 1 and len(rows) > 1 and -1 not in rows:
        return _ragged(owner, array, values)
    for place, entry in _entries(entries):
        if (reason := _reason(entry)) is not None:
            return EntryError(
                f"{owner}: {array} must contain numbers; got {reason[0]} ({place}). {reason[1]}"
            )
    return None


def _ragged(owner: str, array: str, values: Any) -> DataError:
    rows = (
        [len(row) for row in values if hasattr(row, "__len__")]
        if hasattr(values, "__iter__")
        else []
    )
    found = f"; got rows of {min(rows)} to {max(rows)} entries" if len(set(rows)) > 1 else ""
    return DataError(f"{owner}: {array} must have rows of one length{found}.")


def _entries(entries: npt.NDArray[Any]) -> Iterator[tuple[str, Any]]:
    """Yield each entry with a description of its position."""
    axes = ("row", "column")
    for at in np.ndindex(entries.shape):
        yield ", ".join(f"{a} {i}" for a, i in zip(axes, at, strict=False)), entries[at]


def _reason(entry: Any) -> tuple[str, str] | None:
    """Describe an entry and the remedy; None if it can be converted to a float."""
    try:
        float(entry)
    except OverflowError:
        return _large(entry), "No float holds it: use numbers of size 1.8e308 at most."
    except Exception:  # any: `__float__` may be the user's own, and the caller raises DataError
        name = type(entry).__name__
        if isinstance(entry, str | bytes):
            return f"could not convert string to float: {entry!r:.50}", _ENCODE
        if isinstance(entry, np.datetime64 | np.timedelta64) or hasattr(entry, "isoformat"):
            return f"an entry of type {name}", _TIMES
        if name in ("NAType", "NaTType", "NoneType"):
            return f"a missing value, {entry}", "Impute first, see sklearn.impute."
        return f"an entry of type {name}", "The argument must be a string or a number."
    if isinstance(entry, np.datetime64 | np.timedelta64):
        return f"an entry of type {type(entry).__name__}", _TIMES
    if isinstance(entry, np.ndarray | list | tuple):
        return f"an entry of type {type(entry).__name__}", "Pass each of its numbers as a column."
    return None


def _large(entry: Any) -> str:
    digits = (
        f" of about {int(entry.bit_length() * 0.30103) + 1} digits"
        if isinstance(entry, int)
        else ""
    )
    return f"an entry of type {type(entry).__name__}{digits}"
