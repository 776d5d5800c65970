"""Which class answers a call: gramian's if it can, else scikit-learn's."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import local
from types import FunctionType
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import VALID_METRICS
from sklearn.utils import assert_all_finite, get_tags
from sklearn.utils.validation import check_is_fitted

from gramian.accelerate.arguments import fitting_arguments
from gramian.accelerate.records import recorded

FITTING = frozenset({"fit", "fit_predict", "fit_transform", "partial_fit"})
_MARK = "_accelerate"  # the attribute that holds which class fitted, and what it set

# A subclass may override these and is still served: gramian's class does not call them, or calls
# its own `fit` only through the object.
_MAY_OVERRIDE = frozenset(
    {"fit", "fit_predict", "fit_transform", "predict", "score", "transform", "get_params"}
)

_UNFITTED: tuple[bool, frozenset[str]] = False, frozenset()
_state = local()
stopped = False  # `undo` was called: objects of replaced classes fit as the original does


def is_served(self: Any) -> bool:
    """Whether gramian's class fitted the object."""
    return bool(self.__dict__.get(_MARK, _UNFITTED)[0])


def as_ours(self: Any) -> Any:
    """Return the object as one of gramian's class: both share their attributes."""
    view = object.__new__(type(self).ours)
    view.__dict__ = self.__dict__
    return view


def as_theirs(ours: Any, replaced: Any) -> Any:
    """Return a fitted estimator of gramian's as one of a replaced class, attributes and all."""
    view = object.__new__(replaced)
    view.__dict__ = ours.__dict__ | {_MARK: (True, frozenset())}
    return view


def call(self: Any, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a method that does not fit: of the class that fitted."""
    name = original.__name__
    ours = getattr(as_ours(self), name, None) if is_served(self) else None
    if ours is not None:
        with recorded(type(self).__name__, name, "gramian"):
            return _own(self, ours(*args, **kwargs))
    if _runs_original(self):
        return original(self, *args, **kwargs)
    with _original(self), recorded(type(self).__name__, name, "scikit-learn"):
        return original(self, *args, **kwargs)


def fit(self: Any, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Fit by gramian's class; where it declines, by the original."""
    if _runs_original(self):
        return original(self, *args, **kwargs)
    name = original.__name__
    args, kwargs = [_rows(value) for value in args], {k: _rows(v) for k, v in kwargs.items()}
    reason = _refusal(self, name, args, kwargs)
    before = dict(self.__dict__)
    if not reason:
        draws = [(value, value.get_state()) for value in before.values() if _is_generator(value)]
        continued = is_served(self) and _continues(self, name)
        try:
            with recorded(type(self).__name__, name, "gramian"):
                return _fit_ours(self, original, args, kwargs)
        except Exception as error:
            if continued:
                raise
            reason = first_line(error)
            self.__dict__ = before
            for generator, drawn in draws:
                generator.set_state(drawn)
    with (
        _fitting(self, served=False),
        _original(self),
        recorded(type(self).__name__, name, "scikit-learn", reason),
        declined(reason),
    ):
        return original(self, *args, **kwargs)


def _rows(value: Any) -> Any:
    """Return the rows of a search that gramian's class built: neighbours take a search as X."""
    if "_fit_X" in getattr(value, "__dict__", ()) and is_served(value):
        return value.__dict__["_fit_X"]
    return value


def first_line(error: Exception) -> str:
    """Return the kind of an error and its first line."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


@contextmanager
def declined(reason: str) -> Iterator[None]:
    """Add to an error of scikit-learn's why gramian's class did not serve the call."""
    try:
        yield
    except Exception as error:
        if reason:
            error.add_note(f"gramian.accelerate left this call to scikit-learn: {reason}")
        raise


def _fit_ours(self: Any, original: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    ours = getattr(type(self).ours, original.__name__)
    args, kwargs = fitting_arguments(original, ours, args, kwargs)
    with _fitting(self, served=True):
        return _own(self, ours(as_ours(self), *args, **kwargs))


def _own(self: Any, result: Any) -> Any:
    """Return the object itself where gramian's class returned its own view of it."""
    return self if getattr(result, "__dict__", None) is self.__dict__ else result


def _refusal(self: Any, name: str, args: Any, kwargs: Any) -> str:
    """Return why gramian's class is not asked at all, or an empty string."""
    cls: Any = type(self)
    if stopped:
        return "gramian.accelerate.undo() was called"
    if not hasattr(cls.ours, name):
        return f"gramian's class has no {name}"
    overridden = _overridden(cls)
    if overridden:
        return f"a subclass overrides {overridden}"
    if not is_served(self) and _continues(self, name):
        return "scikit-learn's class began this fit"
    refused = _refused_input(self, args[0] if args else kwargs.get("X"))
    if refused:
        return refused
    for parameter, default in _unknown(cls).items():
        value = getattr(self, parameter)
        if not (value is default or _equal(value, default)):
            return f"gramian's class has no parameter {parameter}"
    try:
        self._validate_params()
    except ValueError as error:  # the original says so itself
        return str(error)
    return ""


def _refused_input(self: Any, table: Any) -> str:
    """Return what of X the original refuses though gramian's class takes it, or an empty string."""
    taken = get_tags(self).input_tags
    foreign = hasattr(table, "__dlpack__") and not isinstance(table, np.ndarray)
    if foreign and get_config()["array_api_dispatch"]:
        return "scikit-learn answers with arrays of X's library"
    if issparse(table) and not taken.sparse:
        return "scikit-learn's class takes no sparse X"
    search, metric = self.__dict__.get("algorithm"), self.__dict__.get("metric")
    if search in ("kd_tree", "ball_tree"):
        if issparse(table):
            return f"scikit-learn's {search} takes no sparse X"
        if isinstance(metric, str) and metric not in VALID_METRICS[search]:
            return f"scikit-learn's {search} has no metric {metric!r}"
    if issparse(table) and callable(metric):
        return "scikit-learn gives a function for the metric sparse rows"
    if type(self).ours.takes_nan and not taken.allow_nan:
        try:
            assert_all_finite(table.tocsr() if issparse(table) else np.asarray(table))
        except (TypeError, ValueError):
            return "scikit-learn's class takes no missing values"
    return ""


def _continues(self: Any, name: str) -> bool:
    """Whether a fit goes on from an earlier one."""
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
        for name, value in vars(part).items():
            method = isinstance(value, FunctionType | property) or hasattr(value, "fn")
            free = name.startswith("__") or name in _MAY_OVERRIDE
            if method and not free and hasattr(cls.theirs, name):
                return str(name)
    return ""


def _replacement_of(cls: Any) -> Any:
    return next(part for part in cls.__mro__ if "theirs" in vars(part))


@cache
def _unknown(cls: Any) -> dict[str, Any]:
    """Return the parameters that only the original has and that matter, with their defaults."""
    parameters = inspect.signature(cls.theirs).parameters
    known = {*inspect.signature(cls.ours).parameters, "n_jobs"}
    return {name: p.default for name, p in parameters.items() if name not in known}


def _equal(value: Any, default: Any) -> bool:
    return type(value) is type(default) and np.ndim(value) == 0 and bool(value == default)


def _is_generator(value: Any) -> bool:
    return isinstance(value, np.random.RandomState)


@contextmanager
def _fitting(self: Any, *, served: bool) -> Iterator[None]:
    """Note which class fits and the attributes it sets; those of the other class are removed."""
    by_gramian, names = self.__dict__.pop(_MARK, _UNFITTED)
    if by_gramian is not served:
        for name in names:
            self.__dict__.pop(name, None)
        names = frozenset()
    before = set(self.__dict__) - names
    yield
    self.__dict__[_MARK] = served, frozenset(self.__dict__) - before


def _runs_original(self: Any) -> bool:
    """Whether the original is at work on this object: what it calls is its own."""
    return id(self) in getattr(_state, "running", ())


@contextmanager
def _original(self: Any) -> Iterator[None]:
    running: set[int] = _state.__dict__.setdefault("running", set())
    running.add(id(self))
    try:
        yield
    finally:
        running.discard(id(self))
