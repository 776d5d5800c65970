"""Overflow in NumPy becomes an error that names the estimator and the array at fault.

Validation accepts every finite number, and most methods work at any size. Where squares or
products of extreme numbers overflow, or vanish, NumPy gives NaN and a RuntimeWarning, and LAPACK
an error of its own. `guarded` wraps the public methods of an estimator: such a call raises a
DataError if one of its arrays holds numbers of extreme size; otherwise NumPy's warning becomes one
that names the estimator.

The caller's `numpy.errstate` does not apply inside these methods, so it changes no result. It
decides what replaces the warning: nothing with "ignore", FloatingPointError with "raise". Underflow
to 0 inside a method is ordinary (the exponential of a large negative number) and never reported.
"""

import inspect
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import cache, wraps
from math import isfinite
from types import FunctionType
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if

from gramian import _native
from gramian.base.catalogue import ESTIMATORS
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fitting import without_guard

GUARDED = (
    "fit",
    "partial_fit",
    "fit_predict",
    "fit_transform",
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score_samples",
    "score",
    "transform",
    "inverse_transform",
    "kneighbors",
)
_LIBRARIES = ("gramian", "numpy", "scipy", "sklearn")
_LEARNING = ("fit", "partial_fit")
_MAY_BE_INFINITE = ("predict_log_proba", "decision_function", "score_samples", "score")  # log 0

# Squares of squares of numbers between these are ordinary floats of the same type.
_LARGE = {"float32": 1e9, "float64": 1e75}
_MOST_SINGLE = float(np.finfo(np.float32).max)
_HUGE = 1e308
_MANY = 2**24  # an integer above this may need more memory than there is
_SMALL = {"float32": 1e-9, "float64": 1e-75}

# The setting of `numpy.errstate` for each kind of event that NumPy reports.
_SETTINGS = {"overflow": "over", "divide by zero": "divide", "invalid value": "invalid"}

_REMEDIES = {
    "X": "Scale the columns, see sklearn.preprocessing.StandardScaler.",
    "y": "Divide y by a constant, and multiply predictions by it.",
}


class _Notes(threading.local):
    """Counts NumPy's overflows, divisions by zero and invalid operations, in each thread."""

    count = 0
    kind = ""  # of the last event


_notes = _Notes()


def _note(kind: str, _flag: int) -> None:
    _notes.count += 1
    _notes.kind = kind


_noting = np.errstate(over="call", invalid="call", divide="call", under="ignore", call=_note)


def guard_methods(cls: type[Any]) -> None:
    """Wrap the public methods of an estimator class that read arrays."""
    for name in GUARDED:
        found: Any = inspect.getattr_static(cls, name, None)
        conditional = hasattr(found, "fn") and hasattr(found, "check")  # by `available_if`
        method = found.fn if conditional else found
        if not isinstance(method, FunctionType) or hasattr(method, "__guarded__"):
            continue
        if not method.__module__.startswith("gramian."):  # scikit-learn's mixins call ours
            continue
        # The guard of base/fitting.py comes last: what is raised here must undo the fit too.
        wrapped = guarded(name, without_guard(method))
        setattr(cls, name, available_if(found.check)(wrapped) if conditional else wrapped)


def guarded(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that raises DataError where its arithmetic overflows."""
    learns = name in _LEARNING
    noted = _noting(method)

    @wraps(method)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = _notes.count
        try:
            answer = noted(self, *args, **kwargs)
        except (ValueError, ArithmeticError, LookupError, MemoryError, RuntimeWarning) as error:
            _notes.count = before
            _name_owner(self, error)
            found: DataError | ParameterError | None = None
            if _may_be_overflow(error):
                found = _cause(self, method, name, args, kwargs)
            if found is None:
                raise
            raise found from error
        overflowed = _notes.count != before
        right = _has_finite_coef(self) if learns else _is_finite_answer(name, answer)
        if not overflowed and right:
            return answer
        _notes.count = before  # a guarded caller must not report it again
        found = _cause(self, method, name, args, kwargs)
        if found is None and name == "predict" and _exceeds_float32(answer):
            found = DataError(
                f"{type(self).__name__}: predict overflows; predictions in float32 can be "
                f"{_MOST_SINGLE:.3g} at most. Fit and predict with X and y in float64, or divide y "
                "by a constant, and multiply predictions by it."
            )
        if found is not None:
            raise found
        if overflowed:
            _report(_notes.kind, f"{type(self).__name__}: {_notes.kind} in {name}", learns=learns)
        elif learns:
            _report("invalid value", f"{type(self).__name__}: coef_ is not finite", learns=True)
        return answer

    checked.__guarded__ = True  # type: ignore[attr-defined]
    return checked


def _name_owner(estimator: Any, error: Exception) -> None:
    """Prefix the estimator's name to one of our messages that does not begin with one."""
    if not isinstance(error, DataError | ParameterError) or not error.args:
        return
    owner, first = type(estimator).__name__, str(error.args[0]).partition(":")[0]
    if first != owner and first not in _catalogued():
        error.args = (f"{owner}: {error.args[0]}", *error.args[1:])


@cache
def _catalogued() -> frozenset[str]:
    return frozenset(entry.name for entry in ESTIMATORS)


def _has_finite_coef(estimator: Any) -> bool:
    """Return whether a linear model has finite coefficients: native code does not report NaN."""
    coef = vars(estimator).get("coef_")
    return type(coef) is not np.ndarray or coef.dtype.kind != "f" or bool(np.isfinite(coef).all())


def _report(kind: str, event: str, *, learns: bool) -> None:
    """Warn, raise or do nothing, as the caller's `numpy.errstate` sets for this kind of event."""
    settings: dict[str, object] = {**np.geterr()}
    handling = settings[_SETTINGS.get(kind, "invalid")]
    if handling == "ignore":
        return
    message = f"{event}; check the {'fitted values' if learns else 'result'}."
    if handling == "raise":
        raise FloatingPointError(message)
    warnings.warn(message, RuntimeWarning, stacklevel=caller_level())


def _may_be_overflow(error: Exception) -> bool:
    """Return whether extreme numbers may have caused an error.

    They have not if the error is one of ours, which name their cause, if the estimator is not
    fitted, or if a user's function raised it.
    """
    if isinstance(error, NotFittedError | DataError | ParameterError):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = "" if trace is None else trace.tb_frame.f_globals.get("__name__", "")
    return module.partition(".")[0] in _LIBRARIES


def _is_finite_answer(name: str, answer: Any) -> bool:
    """Return whether a result is finite; logarithms may be minus infinity."""
    if type(answer) is np.ndarray:
        kind = answer.dtype.char
        if kind in "df" and answer.dtype.isnative:  # the usual answer; one number needs no scan
            finite = (
                isfinite(answer.item()) if answer.size == 1 else _native.all_finite(answer.ravel())
            )
            if finite:
                return True
        elif kind in "lU?":
            return True
    parts = answer if isinstance(answer, tuple | list) else (answer,)
    return all(_is_finite(part, minus=name in _MAY_BE_INFINITE) for part in parts)


def _is_finite(part: Any, *, minus: bool) -> bool:
    values = part.data if sp.issparse(part) else part
    if not isinstance(values, np.ndarray | np.floating | float):
        return True
    values = np.asarray(values)
    if values.dtype.kind != "f":
        return True
    finite = np.isfinite(values)
    return bool(finite.all() or (minus and (values[~finite] == -np.inf).all()))


def _exceeds_float32(answer: Any) -> bool:
    """Return whether an answer in float32 has infinite entries, which a conversion can cause."""
    return (
        isinstance(answer, np.ndarray)
        and answer.dtype == np.float32
        and bool(np.isinf(answer).any())
    )


def _cause(
    estimator: Any, method: Callable[..., Any], name: str, args: Any, kwargs: Any
) -> DataError | ParameterError | None:
    """Name the array whose numbers are so large or small that they overflow, if there is one."""
    arguments = inspect.signature(method).bind(estimator, *args, **kwargs).arguments
    owner = type(estimator).__name__
    single = False  # whether X, and with it the predictions, are float32
    for array, values in _arrays(arguments):
        single |= array == "X" and values.dtype == np.float32
        numbers = np.abs(values[np.isfinite(values)])
        numbers = numbers[numbers > 0]
        if not numbers.size:
            continue
        kind = values.dtype.name if values.dtype.name in _LARGE else "float64"
        size, least = float(numbers.max()), float(numbers.min())
        remedy = _REMEDIES.get(array, f"Divide {array} by a constant.")
        if array == "y" and single and size > _MOST_SINGLE:
            return DataError(
                f"{owner}: {name} overflows; y must contain numbers of size {_MOST_SINGLE:.3g} at "
                f"most where X is float32, as predictions are then; got {size:.3g}. Pass X as "
                "float64, or divide y by a constant, and multiply predictions by it."
            )
        if size > _LARGE[kind]:
            return DataError(
                f"{owner}: {name} overflows; {array} must contain numbers whose squares and "
                f"products are finite in {kind}, got numbers of size {size:.3g}. {remedy}"
            )
        if least < _SMALL[kind]:
            return DataError(
                f"{owner}: {name} underflows; {array} must contain numbers whose squares and "
                f"products are not 0 in {kind}, got numbers of size {least:.3g}. {remedy}"
            )
    return _extreme_parameter(estimator, name)


def _extreme_parameter(estimator: Any, method: str) -> ParameterError | None:
    """Name a parameter of extreme size, if there is one."""
    for name, value in vars(estimator).items():
        if name.endswith("_") or name.startswith("_") or name == "random_state":
            continue
        entries = value if isinstance(value, tuple | list) else (value,)
        if any(_is_extreme(entry) for entry in entries):
            return ParameterError(
                f"{type(estimator).__name__}: {method} is not possible with {name}={value!r}, a "
                "number of extreme size; choose one nearer to the default."
            )
    return None


def _is_extreme(value: object) -> bool:
    """Return whether a value is a number so large or small that it may overflow."""
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        return False
    number: Any = value.item() if isinstance(value, np.number) else value
    size = abs(float(number)) if abs(number) <= _HUGE else _HUGE
    most = _MANY if isinstance(value, int | np.integer) else _LARGE["float64"]
    return size > most or 0 < size < _SMALL["float64"]


def _arrays(arguments: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the name and the floats of every argument that contains numbers."""
    for name, values in arguments.items():
        if name in ("self", "kwargs", "args") or values is None or isinstance(values, str):
            continue
        values = getattr(values, "data", None) if sp.issparse(values) else values
        try:
            array = np.asarray(values)
            array = array if array.dtype.kind == "f" else array.astype(np.float64)
        except Exception:  # not numbers, which validation reports
            continue
        yield name, array
