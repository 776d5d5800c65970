"""Dispatch calls to gramian's class if possible, otherwise to scikit-learn's."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from threading import local
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn import get_config
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import VALID_METRICS
from sklearn.utils import assert_all_finite, get_tags
from sklearn.utils.validation import check_is_fitted

from gramian.accelerate.arguments import Function, convert_arguments
from gramian.accelerate.records import record_call
from gramian.base.types import is_sparse

if TYPE_CHECKING:
    from gramian.accelerate.replacement import Replaced
    from gramian.base.kinds import Estimator

FITTING = frozenset({"fit", "fit_predict", "fit_transform", "partial_fit"})
_MARK = "_accelerate"  # attribute: whether gramian fitted, and the attributes that the fit set

# A subclass may override these: gramian's class does not call them, or calls its own `fit` only
# through the object.
_MAY_OVERRIDE = frozenset(
    {"fit", "fit_predict", "fit_transform", "predict", "score", "transform", "get_params"}
)

_UNFITTED: tuple[bool, frozenset[str]] = False, frozenset()
_state = local()
undone = False  # `undo` was called: replaced classes use scikit-learn's fit


def fitted_by_gramian(self: object) -> bool:
    """Return whether gramian's class fitted the object."""
    return bool(self.__dict__.get(_MARK, _UNFITTED)[0])


def gramian_view(self: "Replaced") -> "Estimator":
    """Return a view of the object as gramian's class; both share their attributes."""
    view = object.__new__(type(self).gramian_class)
    view.__dict__ = self.__dict__
    return view


def as_replacement(ours: object, replaced: "type[Replaced]") -> "Replaced":
    """Return a fitted gramian estimator as an object of a replacement class."""
    view = object.__new__(replaced)
    view.__dict__ = ours.__dict__ | {_MARK: (True, frozenset())}
    return view


def call(
    self: "Replaced", original: Function, args: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    """Call a non-fitting method of the class that fitted the object."""
    name = original.__name__
    ours: Function | None = None
    if fitted_by_gramian(self):
        ours = getattr(gramian_view(self), name, None)
    if ours is not None:
        with record_call(type(self).__name__, name, "gramian"):
            return _without_view(self, ours(*args, **kwargs))
    if _runs_original(self):
        return original(self, *args, **kwargs)
    with _original(self), record_call(type(self).__name__, name, "scikit-learn"):
        return original(self, *args, **kwargs)


def fit(
    self: "Replaced", original: Function, args: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    """Fit with gramian's class, or with the original if that raises."""
    if _runs_original(self):
        return original(self, *args, **kwargs)
    name = original.__name__
    args, kwargs = [_rows(value) for value in args], {k: _rows(v) for k, v in kwargs.items()}
    reason = _fallback_reason(self, name, args, kwargs)
    before = dict(self.__dict__)
    if not reason:
        values: list[object] = list(before.values())
        generators = [value for value in values if isinstance(value, np.random.RandomState)]
        draws = [(generator, generator.get_state()) for generator in generators]
        continued = fitted_by_gramian(self) and _continues(self, name)
        try:
            with record_call(type(self).__name__, name, "gramian"):
                return _fit_by_gramian(self, original, args, kwargs)
        except Exception as error:
            if continued:
                raise
            reason = first_line(error)
            self.__dict__ = before
            for generator, drawn in draws:
                generator.set_state(drawn)
    with (
        _fitting(self, by_gramian=False),
        _original(self),
        record_call(type(self).__name__, name, "scikit-learn", reason),
        explain_fallback(reason),
    ):
        return original(self, *args, **kwargs)


def _rows(value: object) -> object:
    """Return the rows of a fitted neighbours search, which may be passed as X."""
    if "_fit_X" in getattr(value, "__dict__", ()) and fitted_by_gramian(value):
        rows: object = value.__dict__["_fit_X"]
        return rows
    return value


def first_line(error: Exception) -> str:
    """Return the type of an error and the first line of its message."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


@contextmanager
def explain_fallback(reason: str) -> Iterator[None]:
    """Add a note to scikit-learn's error that says why gramian's class was not used."""
    try:
        yield
    except Exception as error:
        if reason:
            error.add_note(f"gramian.accelerate left this call to scikit-learn: {reason}")
        raise


def _fit_by_gramian(
    self: "Replaced", original: Function, args: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    ours: Function = getattr(type(self).gramian_class, original.__name__)
    args, kwargs = convert_arguments(original, ours, args, kwargs)
    with _fitting(self, by_gramian=True):
        return _without_view(self, ours(gramian_view(self), *args, **kwargs))


def _without_view(self: "Replaced", result: object) -> object:
    """Return the object itself if the result is gramian's view of it."""
    return self if getattr(result, "__dict__", None) is self.__dict__ else result


def _fallback_reason(
    self: "Replaced", name: str, args: Sequence[object], kwargs: Mapping[str, object]
) -> str:
    """Return the reason why gramian's class cannot fit, or an empty string."""
    cls: Any = type(self)
    if undone:
        return "gramian.accelerate.undo() was called"
    if not hasattr(cls.gramian_class, name):
        return f"gramian's class has no {name}"
    overridden = _overridden(cls)
    if overridden:
        return f"a subclass overrides {overridden}"
    if not fitted_by_gramian(self) and _continues(self, name):
        return "scikit-learn's class started this fit"
    unsupported = _unsupported_input(self, args[0] if args else kwargs.get("X"))
    if unsupported:
        return unsupported
    for parameter, default in _sklearn_only_parameters(cls).items():
        value: object = getattr(self, parameter)
        if not (value is default or _equal(value, default)):
            return f"gramian's class has no parameter {parameter}"
    try:
        self._validate_params()
    except ValueError as error:  # the original raises the same error
        return str(error)
    return ""


def _unsupported_input(self: "Replaced", table: object) -> str:
    """Return why only gramian's class would accept X, or an empty string."""
    input_tags = get_tags(self).input_tags
    other_library = hasattr(table, "__dlpack__") and not isinstance(table, np.ndarray)
    if other_library and get_config()["array_api_dispatch"]:
        return "scikit-learn returns arrays of X's library"
    if is_sparse(table) and not input_tags.sparse:
        return "scikit-learn's class does not accept sparse X"
    search: object = self.__dict__.get("algorithm")
    metric: object = self.__dict__.get("metric")
    if search in ("kd_tree", "ball_tree"):
        if is_sparse(table):
            return f"scikit-learn's {search} does not accept sparse X"
        if isinstance(metric, str) and metric not in VALID_METRICS[search]:
            return f"scikit-learn's {search} has no metric {metric!r}"
    if is_sparse(table) and callable(metric):
        return "scikit-learn passes sparse rows to a callable metric"
    if type(self).gramian_class.takes_nan and not input_tags.allow_nan:
        try:
            assert_all_finite(table.tocsr() if is_sparse(table) else np.asarray(table))
        except (TypeError, ValueError):
            return "scikit-learn's class does not accept missing values"
    return ""


def _continues(self: "Replaced", name: str) -> bool:
    """Return whether a fit continues an earlier one."""
    if name != "partial_fit" and not self.__dict__.get("warm_start"):
        return False
    try:
        check_is_fitted(self)
    except NotFittedError:
        return False
    return True


@cache
def _overridden(cls: Any) -> str:
    """Return the name of a method that a subclass overrides and gramian's class would not call."""
    for part in cls.__mro__[: cls.__mro__.index(_replacement_of(cls))]:
        attributes: dict[str, object] = dict(vars(part))
        for name, value in attributes.items():
            method = isinstance(value, FunctionType | property) or hasattr(value, "fn")
            allowed = name.startswith("__") or name in _MAY_OVERRIDE
            if method and not allowed and hasattr(cls.sklearn_class, name):
                return str(name)
    return ""


def _replacement_of(cls: type) -> type:
    return next(part for part in cls.__mro__ if "sklearn_class" in vars(part))


@cache
def _sklearn_only_parameters(cls: Any) -> dict[str, object]:
    """Return the parameters that only the original has (without n_jobs), with their defaults."""
    parameters = inspect.signature(cls.sklearn_class).parameters
    known = {*inspect.signature(cls.gramian_class).parameters, "n_jobs"}
    return {name: p.default for name, p in parameters.items() if name not in known}


def _equal(value: Any, default: Any) -> bool:
    return type(value) is type(default) and np.ndim(value) == 0 and bool(value == default)


@contextmanager
def _fitting(self: "Replaced", *, by_gramian: bool) -> Iterator[None]:
    """Store which class fits and the attributes it sets; remove those of the other class."""
    was_gramian: bool
    names: frozenset[str]
    was_gramian, names = self.__dict__.pop(_MARK, _UNFITTED)
    if was_gramian is not by_gramian:
        for name in names:
            self.__dict__.pop(name, None)
        names = frozenset()
    before = set(self.__dict__) - names
    yield
    self.__dict__[_MARK] = by_gramian, frozenset(self.__dict__) - before


def _runs_original(self: object) -> bool:
    """Return whether the original class is running on this object, and so keeps its calls."""
    return id(self) in getattr(_state, "running", ())


@contextmanager
def _original(self: object) -> Iterator[None]:
    running: set[int] = _state.__dict__.setdefault("running", set())
    running.add(id(self))
    try:
        yield
    finally:
        running.discard(id(self))
