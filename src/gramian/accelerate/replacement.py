"""A class in the place of scikit-learn's: a subclass of it that lets gramian's class go first.

`__init__`, `get_params`, tags and metadata requests are scikit-learn's. A method that fits asks
gramian's class and, where that declines, the original (`serving.py`); any other method or property
is answered by the class that fitted the object.
"""

import inspect
import warnings
from abc import ABCMeta
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import sklearn
from sklearn.base import BaseEstimator
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.utils.metaestimators import available_if

from gramian.accelerate.handing_out import HANDED_OUT, handed_out, read
from gramian.accelerate.serving import FITTING, as_ours, call, fit, is_served
from gramian.accelerate.shared import Pair
from gramian.base.errors import caller_level
from gramian.base.fitting import unchanged_on_error, without_guard
from gramian.base.kinds import Classifier, Regressor

# Beside public names: what containers answer to, and what scikit-learn's functions ask of a model.
_SPECIAL = {"__len__", "__getitem__", "__iter__", "_compute_partial_dependence_recursion"}


_MEMBERS: dict[str, Callable[[Any], Any]] = {
    "__getitem__": handed_out,
    "__iter__": lambda members: map(handed_out, members),
}


class ReplacedType(ABCMeta):
    """Objects of the original class are of the replacement too, as those of an older pickle."""

    theirs: type
    _pair: Pair

    @property
    def ours(cls) -> Any:
        """The class of gramian's, imported with its family when it is first needed."""
        return cls._pair.ours

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or cls._stands_for(type(instance))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return super().__subclasscheck__(subclass) or cls._stands_for(subclass)

    def _stands_for(cls, subclass: type) -> bool:
        return "theirs" in vars(cls) and cls.theirs in subclass.__mro__


class Replaced:
    """What all replacements have; the attributes of the fitted model are found by either class."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "_pair" not in vars(cls):  # a replacement inherits what scikit-learn's class was given
            super().__init_subclass__(**kwargs)

    def __getattr__(self, name: str) -> Any:
        kind: Any = type(self)
        if _is_defined(kind, name):
            return object.__getattribute__(self, name)  # raises again, in its own words
        if not name.startswith("__") and is_served(self):
            try:
                return read(as_ours(self), name)
            except AttributeError as error:
                if str(error) != f"{kind.ours.__name__!r} object has no attribute {name!r}":
                    raise  # in the words of gramian's property
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getstate__(self) -> Any:
        return as_ours(self).__getstate__() if is_served(self) else super().__getstate__()

    def __setstate__(self, state: dict[str, Any]) -> None:
        wrote = state.pop("_sklearn_version", None)  # a pickle of scikit-learn's own
        if wrote not in (None, sklearn.__version__):
            warnings.warn(
                InconsistentVersionWarning(
                    estimator_name=type(self).__name__,
                    current_sklearn_version=sklearn.__version__,
                    original_sklearn_version=wrote,
                ),
                stacklevel=caller_level(),
            )
        base: Any = super()
        base.__setstate__(state)


def replacement(pair: Pair, *, module: str) -> type[Replaced]:
    """Return a subclass of scikit-learn's class whose calls gramian's class answers if it can.

    Parameters
    ----------
    pair
        scikit-learn's class, and gramian's of the same name: that is not imported here.
    module
        Where the class will be found by pickles.
    """
    theirs = pair.theirs
    held = {
        "__module__": module,
        "__qualname__": theirs.__name__,
        "__doc__": theirs.__doc__,
        "theirs": theirs,
        "_pair": pair,
    }
    made: Any = ReplacedType(theirs.__name__, (Replaced, theirs), held)
    for name in sorted({*dir(theirs), *HANDED_OUT}):
        member = _member(made, name)
        if member is not None:
            setattr(made, name, member)
    return made  # type: ignore[no-any-return]


@cache
def _is_defined(cls: type, name: str) -> bool:
    return any(name in vars(part) for part in cls.__mro__)


def _member(made: ReplacedType, name: str) -> Any:
    """Return the method or property that chooses between the two classes, or None."""
    if name not in _SPECIAL and (name.startswith("_") or hasattr(BaseEstimator, name)):
        return None
    original = inspect.getattr_static(made.theirs, name, None)
    if name in HANDED_OUT:
        return _handed_out(name, original)
    if isinstance(original, property):
        return property(lambda self: _value(self, name, original), doc=original.__doc__)
    if inspect.isfunction(original):
        return _method(made, name, original)
    if hasattr(original, "fn") and hasattr(original, "check"):  # made by available_if
        method = _method(made, name, original.fn)
        return available_if(lambda self: _has(self, name, original))(method)
    return None


def _value(self: Any, name: str, original: property) -> Any:
    return read(as_ours(self), name) if is_served(self) else original.__get__(self)


def _handed_out(name: str, original: property | None) -> property:
    """Return a property that gives members and trees as scikit-learn's."""

    def get(self: Any) -> Any:
        if is_served(self):
            return read(as_ours(self), name)
        if original is not None:
            return original.__get__(self)
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}"
            ) from None

    def put(self: Any, value: Any) -> None:
        self.__dict__[name] = value

    def remove(self: Any) -> None:
        del self.__dict__[name]

    return property(get, put, remove)


def _has(self: Any, name: str, original: Any) -> bool:
    there = bool(original.check(self))
    return there and (not is_served(self) or hasattr(as_ours(self), name))


def _method(made: ReplacedType, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    run = fit if name in FITTING else call
    give = _MEMBERS.get(name)

    @wraps(original)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if _of_both(made, name):
            return getattr(super(made, self), name)(*args, **kwargs)
        answer = run(self, original, args, kwargs)
        return give(answer) if give is not None and is_served(self) else answer

    return unchanged_on_error(method) if name in FITTING else method


@cache
def _of_both(made: ReplacedType, name: str) -> bool:
    """Whether both classes have it of one mixin: it calls methods that are replaced."""
    original = inspect.getattr_static(made.theirs, name)
    ours = without_guard(inspect.getattr_static(made.ours, name, None))
    # The score of our kinds is that of scikit-learn's mixins, with errors that name the estimator.
    scores = [inspect.unwrap(kind.score) for kind in (Classifier, Regressor)]
    return original is ours or (callable(ours) and inspect.unwrap(ours) in scores)
