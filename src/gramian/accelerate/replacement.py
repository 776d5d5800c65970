"""Replacement classes: subclasses of scikit-learn's classes that try gramian's class first.

`__init__`, `get_params`, tags and metadata requests are scikit-learn's. A method that fits tries
gramian's class and falls back to the original (`dispatch.py`); any other method or property is that
of the class that fitted the object.
"""

import inspect
import warnings
from abc import ABCMeta
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ClassVar

import sklearn
from sklearn.base import BaseEstimator
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.utils.metaestimators import available_if

from gramian.accelerate.arguments import Function
from gramian.accelerate.conversion import CONVERTED_ATTRIBUTES, read_attribute, to_sklearn
from gramian.accelerate.dispatch import FITTING, call, fit, fitted_by_gramian, gramian_view
from gramian.accelerate.shared import Pair
from gramian.base.errors import caller_level
from gramian.base.fitting import unchanged_on_error, without_guard
from gramian.base.kinds import Classifier, Estimator, Regressor

# In addition to public names: container methods, and methods that scikit-learn's functions call.
_SPECIAL = {"__len__", "__getitem__", "__iter__", "_compute_partial_dependence_recursion"}


_MEMBERS: dict[str, Callable[[Any], object]] = {
    "__getitem__": to_sklearn,
    "__iter__": lambda members: map(to_sklearn, members),
}


class ReplacedType(ABCMeta):
    """Metaclass: objects of the original class, as from an older pickle, are instances too."""

    sklearn_class: type
    _pair: Pair

    @property
    def gramian_class(cls) -> type[Estimator]:
        """Gramian's class, imported with its package on first use."""
        found: type[Estimator] = cls._pair.gramian_object
        return found

    def __instancecheck__(cls, instance: object) -> bool:
        return super().__instancecheck__(instance) or cls._is_original(type(instance))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return super().__subclasscheck__(subclass) or cls._is_original(subclass)

    def _is_original(cls, subclass: type) -> bool:
        return "sklearn_class" in vars(cls) and cls.sklearn_class in subclass.__mro__


class Replaced:
    """Base of all replacements; finds the fitted attributes of either class."""

    sklearn_class: ClassVar[type]
    gramian_class: ClassVar[type[Estimator]]  # a property of the metaclass

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # A replacement inherits the metadata requests of scikit-learn's class.
        if "_pair" not in vars(cls):
            super().__init_subclass__(**kwargs)

    def __getattr__(self, name: str) -> Any:
        kind: Any = type(self)
        if _is_defined(kind, name):
            return object.__getattribute__(self, name)  # raises the property's own error
        if not name.startswith("__") and fitted_by_gramian(self):
            try:
                return read_attribute(gramian_view(self), name)
            except AttributeError as error:
                if (
                    str(error)
                    != f"{kind.gramian_class.__name__!r} object has no attribute {name!r}"
                ):
                    raise  # the error of gramian's property
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getstate__(self) -> object:
        return (
            gramian_view(self).__getstate__() if fitted_by_gramian(self) else super().__getstate__()
        )

    def __setstate__(self, state: dict[str, object]) -> None:
        sklearn_version = state.pop("_sklearn_version", None)  # a pickle of scikit-learn's class
        if sklearn_version not in (None, sklearn.__version__):
            warnings.warn(
                InconsistentVersionWarning(
                    estimator_name=type(self).__name__,
                    current_sklearn_version=sklearn.__version__,
                    original_sklearn_version=sklearn_version,
                ),
                stacklevel=caller_level(),
            )
        base: Any = super()
        base.__setstate__(state)


def replacement(pair: Pair, *, module: str) -> type[Replaced]:
    """Return a subclass of scikit-learn's class that uses gramian's class where possible.

    Parameters
    ----------
    pair
        scikit-learn's class and the path of gramian's, which is not imported here.
    module
        Module name for pickles of the class.
    """
    theirs = pair.sklearn_object
    namespace = {
        "__module__": module,
        "__qualname__": theirs.__name__,
        "__doc__": theirs.__doc__,
        "sklearn_class": theirs,
        "_pair": pair,
    }
    cls: Any = ReplacedType(theirs.__name__, (Replaced, theirs), namespace)
    for name in sorted({*dir(theirs), *CONVERTED_ATTRIBUTES}):
        member = _member(cls, name)
        if member is not None:
            setattr(cls, name, member)
    return cls  # type: ignore[no-any-return]


@cache
def _is_defined(cls: type, name: str) -> bool:
    return any(name in vars(part) for part in cls.__mro__)


def _member(cls: ReplacedType, name: str) -> object:
    """Return the method or property that chooses between the two classes, or None."""
    if name not in _SPECIAL and (name.startswith("_") or hasattr(BaseEstimator, name)):
        return None
    original = inspect.getattr_static(cls.sklearn_class, name, None)
    if name in CONVERTED_ATTRIBUTES:
        return _converted_property(name, original)
    if isinstance(original, property):
        return property(lambda self: _value(self, name, original), doc=original.__doc__)
    if inspect.isfunction(original):
        return _method(cls, name, original)
    if hasattr(original, "fn") and hasattr(original, "check"):  # made by available_if
        method = _method(cls, name, original.fn)
        return available_if(lambda self: _has(self, name, original))(method)
    return None


def _value(self: Replaced, name: str, original: property) -> object:
    return (
        read_attribute(gramian_view(self), name)
        if fitted_by_gramian(self)
        else original.__get__(self)
    )


def _converted_property(name: str, original: property | None) -> property:
    """Return a property that converts members and trees to scikit-learn's form."""

    def get(self: Replaced) -> object:
        if fitted_by_gramian(self):
            return read_attribute(gramian_view(self), name)
        if original is not None:
            return original.__get__(self)
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}"
            ) from None

    def put(self: Replaced, value: object) -> None:
        self.__dict__[name] = value

    def remove(self: Replaced) -> None:
        del self.__dict__[name]

    return property(get, put, remove)


def _has(self: Replaced, name: str, original: Any) -> bool:
    available = bool(original.check(self))
    return available and (not fitted_by_gramian(self) or hasattr(gramian_view(self), name))


def _method(cls: ReplacedType, name: str, original: Function) -> Function:
    handle = fit if name in FITTING else call
    convert = _MEMBERS.get(name)

    @wraps(original)
    def method(self: Replaced, *args: object, **kwargs: object) -> object:
        if _has_shared_implementation(cls, name):
            return getattr(super(cls, self), name)(*args, **kwargs)
        result = handle(self, original, args, kwargs)
        return convert(result) if convert is not None and fitted_by_gramian(self) else result

    return unchanged_on_error(method) if name in FITTING else method


@cache
def _has_shared_implementation(cls: ReplacedType, name: str) -> bool:
    """Return whether both classes inherit the method from a mixin that calls replaced methods."""
    original = inspect.getattr_static(cls.sklearn_class, name)
    ours = without_guard(inspect.getattr_static(cls.gramian_class, name, None))
    # Our score is that of scikit-learn's mixins, with errors that name the estimator.
    scores = [inspect.unwrap(kind.score) for kind in (Classifier, Regressor)]
    return original is ours or (callable(ours) and inspect.unwrap(ours) in scores)
