"""The fields of an estimator are its contract.

One typed line per parameter gives its name, range and default::

    @params
    class Ridge(Regressor):
        alpha: NonNegative = 1.0

From it come ``__init__`` (by ``dataclass``), the check made by the first line of ``fit``, the
message on a bad value, and the types in the docstring. An annotation is read as a rule:
``Literal`` lists values, ``X | Y`` allows either, ``Annotated`` carries a rule of
base/parameter_rules.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import cache, partial
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.fitting import guard_fits
from gramian.base.overflow import guard_methods
from gramian.base.parameter_rules import (
    LARGEST_SEED,
    Instance,
    Interval,
    IsArray,
    IsFunction,
    IsJobs,
    IsLearner,
    OneOf,
    Rule,
    any_of,
    hint,
    shown,
)
from gramian.base.signatures import complete_doc, readable_signature, reorder

__all__ = [
    "KW_ONLY",
    "Array",
    "Count",
    "Fraction",
    "Function",
    "Instance",
    "Interval",
    "Jobs",
    "Learner",
    "NonNegative",
    "NonNegativeInt",
    "Positive",
    "Rule",
    "Seed",
    "check_params",
    "params",
    "rules_of",
]


_TypeOf: TypeAlias = Any  # a typing construct; typing has no better name for it
_T = TypeVar("_T", bound=type)

Count = Annotated[int, Interval(Integral, 1)]
NonNegativeInt = Annotated[int, Interval(Integral, 0)]
Positive = Annotated[float, Interval(Real, 0, open_low=True)]
NonNegative = Annotated[float, Interval(Real, 0)]
Fraction = Annotated[float, Interval(Real, 0, 1)]
Array = Annotated[npt.ArrayLike, IsArray()]
Function = Annotated[Callable[..., Any], IsFunction()]
Jobs = Annotated[int, IsJobs()] | None
Learner = Annotated[Any, IsLearner()]
Seed = (
    Annotated[int, Interval(Integral, 0, LARGEST_SEED)]
    | Annotated[np.random.RandomState, Instance((np.random.RandomState,), "a RandomState")]
    | Annotated[np.random.Generator, Instance((np.random.Generator,), "a Generator")]
    | None
)


def _rule(annotation: _TypeOf) -> Rule:
    """Convert a type annotation to a rule."""
    origin: Any = get_origin(annotation)
    if origin is Annotated:
        return next(a for a in annotation.__metadata__ if hasattr(a, "accepts"))  # type: ignore[no-any-return]
    if origin is Literal:
        return OneOf(get_args(annotation))
    if origin in (Union, UnionType):
        return any_of(_rule(a) for a in get_args(annotation))
    if annotation in (NoneType, None):
        return OneOf((None,))
    if annotation is bool:
        return Instance((bool, np.bool_), "True or False")
    if annotation is str:
        return Instance((str,), "a string")
    if annotation is dict or origin is dict:
        return Instance((dict,), "a dict")
    raise TypeError(f"no rule for the annotation {annotation!r}; wrap it in Annotated[..., rule]")


@cache
def rules_of(cls: Any) -> dict[str, Rule]:
    """Return the rule of every field of an estimator class, in order."""
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: _rule(hints[f.name]) for f in fields(cls)}


def check_params(estimator: Any) -> None:
    """Raise ParameterError for the first parameter that breaks its rule."""
    cls: Any = type(estimator)
    for name, rule in rules_of(cls).items():
        value = getattr(estimator, name)
        if not rule.accepts(value):
            raise ParameterError(
                f"{cls.__name__}: {name} must be {rule}; got {shown(value)}.{hint(rule, value)}"
            )


@overload
def params(cls: _T) -> _T: ...
@overload
def params(*, first: Sequence[str]) -> Callable[[_T], _T]: ...


@dataclass_transform(eq_default=False, field_specifiers=())
def params(cls: Any = None, *, first: Sequence[str] = ()) -> Any:
    """Make the annotated lines of an estimator class its parameters.

    Adds ``__init__`` and completes the docstring: the ``Parameters`` section gets each parameter's
    rule and default, in the order of the signature; descriptions that the class does not give are
    those of its base classes. ``Attributes`` are inherited too.

    ``first`` names the keyword-only parameters that come first in the signature. The others follow
    as declared, those of base classes before the class's own.

    A fit of the class that raises leaves the object as it was; see base/fitting.py.
    """
    if cls is None:
        return partial(params, first=first)
    made: Any = dataclass(eq=False, repr=False)(cls)
    if first:
        reorder(made, first)
    made.__init__.__signature__ = readable_signature(made, rules_of(made))
    if made.__doc__:
        made.__doc__ = complete_doc(made, rules_of(made))
    if hasattr(made, "fit"):
        guard_methods(made)
    guard_fits(made, inherited=True)
    return made
