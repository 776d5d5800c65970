"""The fields of an estimator are its contract.

One typed line per parameter holds name, range and default::

    @params
    class Ridge(Regressor):
        alpha: NonNegative = 1.0

From it come ``__init__`` (by ``dataclass``), the check made by the first line of ``fit``, the
message on a bad value, and the types in the docstring. An annotation is read as a rule:
``Literal`` lists values, ``X | Y`` allows either, ``Annotated`` carries a rule of this module.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass, fields
from difflib import get_close_matches
from functools import cache, partial
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Protocol,
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
from gramian.base.signatures import PlainType

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


_LARGEST_SEED = 2**64 - 1
_LARGEST = 2**63 - 1  # of integers that need no bound of their own


class Rule(Protocol):
    """Accepts or refuses a value; ``str(rule)`` states the condition."""

    def accepts(self, value: object) -> bool:
        """Return whether the value satisfies the rule."""
        ...


@dataclass(frozen=True)
class Interval:
    """Numbers between two ends; an end that is ``None`` is open and infinite."""

    kind: type[Integral] | type[Real] | type[float]  # float: real numbers that are not integers
    low: float | None = None
    high: float | None = None
    open_low: bool = False
    open_high: bool = False

    def accepts(self, value: object) -> bool:
        """Return whether the value is such a number; True, False and NaN are none."""
        if not self._has_kind(value):
            return False
        x: Any = value
        if x != x or not _fits(x):  # NaN
            return False
        if isinstance(x, np.floating):
            x = float(x)  # or a comparison with what float32 cannot hold would warn
        if self.kind is Integral and self.high is None and x > _LARGEST:
            return False
        above = self.low is None or x > self.low or (x == self.low and not self.open_low)
        below = self.high is None or x < self.high or (x == self.high and not self.open_high)
        return above and below

    def _has_kind(self, value: object) -> bool:
        if type(value) is int:  # the usual types first: isinstance of Real is slow
            return self.kind is not float
        if type(value) is float:
            return self.kind is not Integral
        if isinstance(value, bool | np.bool_):
            return False
        if not isinstance(value, int | float | np.number):  # fractions.Fraction, which NumPy lacks
            return False
        if self.kind is float:
            return isinstance(value, Real) and not isinstance(value, Integral)
        return isinstance(value, self.kind)

    def __str__(self) -> str:
        noun = "an integer" if self.kind is Integral else "a number"
        low, high = self.low, self.high
        if low is not None and high is not None:
            left, right = "(" if self.open_low else "[", ")" if self.open_high else "]"
            end = "2**64 - 1" if high == _LARGEST_SEED else high  # rather than 20 digits
            return f"{noun} in {left}{low}, {end}{right}"
        if low is not None:
            return f"{noun} {'>' if self.open_low else '>='} {low}"
        if high is not None:
            return f"{noun} {'<' if self.open_high else '<='} {high}"
        return noun


def _fits(value: Any) -> bool:
    """Return whether native code can hold a number: 64 bits of an integer, or a float.

    Infinity can be held, but no finite number that would become infinity.
    """
    if type(value) is float or value != value:
        return True
    if isinstance(value, Integral):
        return -(2**63) <= int(value) <= _LARGEST_SEED
    try:
        return bool(np.isfinite(float(value))) or value in (np.inf, -np.inf)
    except OverflowError:
        return False


@dataclass(frozen=True)
class OneOf:
    """A closed list of values."""

    values: tuple[object, ...]

    def accepts(self, value: object) -> bool:
        kind = str if isinstance(value, np.str_) else type(value)
        return any(kind is type(v) and value == v for v in self.values)

    def __str__(self) -> str:
        named = ", ".join(map(repr, self.values))
        return named if len(self.values) == 1 else f"one of {named}"


@dataclass(frozen=True)
class Instance:
    """Objects of given types, described in words."""

    types: tuple[type, ...]
    words: str

    def accepts(self, value: object) -> bool:
        """Return whether the value is of one of the types."""
        return isinstance(value, self.types)

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class IsFunction:
    """Anything that can be called, but not a class."""

    def accepts(self, value: object) -> bool:
        return callable(value) and not isinstance(value, type)

    def __str__(self) -> str:
        return "a function"


@dataclass(frozen=True)
class IsArray:
    """Arrays, frames and nested sequences, of numbers that floats can hold, strings and None.

    Their shape and what the numbers mean are checked where they are used.
    """

    def accepts(self, value: object) -> bool:
        if isinstance(value, list | tuple):
            lengths = {len(v) for v in value if isinstance(v, list | tuple)}
            numbers = any(isinstance(v, Real | str) for v in value)
            ragged = len(lengths) > 1 or (numbers and bool(lengths))
            return not ragged and all(map(self._accepts_entry, value))
        if isinstance(value, np.ndarray):
            plain = value.dtype.kind in "biufUS"
            return plain or (value.dtype == object and all(map(self._accepts_entry, value.flat)))
        return hasattr(value, "__array__") and not isinstance(value, np.generic)

    def _accepts_entry(self, entry: object) -> bool:
        if entry is None or isinstance(entry, str | bool | np.bool_):
            return True
        return _fits(entry) if isinstance(entry, Real) else self.accepts(entry)

    def __str__(self) -> str:
        return "an array"


@dataclass(frozen=True)
class IsJobs:
    """A number of threads: -1 for the pool's size, -2 for one less and so on; never 0."""

    def accepts(self, value: object) -> bool:
        if not isinstance(value, Integral) or isinstance(value, bool):
            return False
        return value != 0 and -(2**31) <= int(value) < 2**31

    def __str__(self) -> str:
        return "an integer of 32 bits other than 0"


@dataclass(frozen=True)
class IsLearner:
    """Estimators: what can be fitted and cloned, but not a class."""

    def accepts(self, value: object) -> bool:
        able = hasattr(value, "fit") and hasattr(value, "get_params")
        return able and not isinstance(value, type)

    def __str__(self) -> str:
        return "an estimator"


@dataclass(frozen=True)
class AnyOf:
    """At least one of several rules."""

    rules: tuple[Rule, ...]

    def accepts(self, value: object) -> bool:
        return any(rule.accepts(value) for rule in self.rules)

    def __str__(self) -> str:
        return " or ".join(map(str, self.rules))


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
    Annotated[int, Interval(Integral, 0, _LARGEST_SEED)]
    | Annotated[np.random.RandomState, Instance((np.random.RandomState,), "a RandomState")]
    | Annotated[np.random.Generator, Instance((np.random.Generator,), "a Generator")]
    | None
)


def _rule(annotation: _TypeOf) -> Rule:
    """Read a type annotation as a rule."""
    origin: Any = get_origin(annotation)
    if origin is Annotated:
        return next(a for a in annotation.__metadata__ if hasattr(a, "accepts"))  # type: ignore[no-any-return]
    if origin is Literal:
        return OneOf(get_args(annotation))
    if origin in (Union, UnionType):
        return AnyOf(tuple(_flatten(_rule(a) for a in get_args(annotation))))
    if annotation in (NoneType, None):
        return OneOf((None,))
    if annotation is bool:
        return Instance((bool, np.bool_), "True or False")
    if annotation is str:
        return Instance((str,), "a string")
    if annotation is dict or origin is dict:
        return Instance((dict,), "a dict")
    raise TypeError(f"no rule for the annotation {annotation!r}; wrap it in Annotated[..., rule]")


def _flatten(rules: Iterable[Rule]) -> Iterable[Rule]:
    """Merge lists of values, and rules inside rules, so that the message reads as one list."""
    values: list[object] = []
    others: list[Rule] = []
    for rule in rules:
        for part in rule.rules if isinstance(rule, AnyOf) else (rule,):
            if isinstance(part, OneOf):
                values += part.values
            elif part not in others:
                others.append(part)
    nothing = [v for v in values if v is None]
    named = [v for v in values if v is not None]
    if named:
        yield OneOf(tuple(named))
    yield from others
    if nothing:
        yield OneOf((None,))


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
                f"{cls.__name__}: {name} must be {rule}; got {shown(value)}.{_hint(rule, value)}"
            )


def shown(value: object) -> str:
    """Return how an error shows a value: its text, shortened."""
    if isinstance(value, int) and value.bit_length() > 600:
        return f"an integer of about {int(value.bit_length() * 0.30103) + 1} digits"
    try:
        text = repr(value)
    except ValueError:  # Python does not write out integers of many thousand digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= 200 else f"{text[:200]}..."


def _hint(rule: Rule, value: object) -> str:
    """Say what to do about a value, where that is known."""
    if isinstance(value, Real) and not isinstance(value, bool) and value == value:
        large = not _fits(value) or (isinstance(value, Integral) and int(value) > _LARGEST)
        if large:
            return " Use an integer below 2**63 or a number of size 1.8e308 at most."
    parts = rule.rules if isinstance(rule, AnyOf) else (rule,)
    if isinstance(value, list | tuple | np.ndarray) and any(isinstance(p, IsArray) for p in parts):
        return " Its entries must be finite numbers or strings, in rows of one length."
    names = [v for part in parts if isinstance(part, OneOf) for v in part.values]
    near = get_close_matches(str(value), [n for n in names if isinstance(n, str)], n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


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
        _reorder(made, first)
    made.__init__.__signature__ = readable_signature(made)
    if made.__doc__:
        made.__doc__ = _complete_doc(made)
    if hasattr(made, "fit"):
        guard_methods(made)
    guard_fits(made, inherited=True)
    return made


def _reorder(cls: Any, names: Sequence[str]) -> None:
    """Put the keyword-only parameters named first; how the class is called does not change."""
    signature = inspect.signature(cls.__init__)
    given = signature.parameters.values()
    keywords = {p.name: p for p in given if p.kind is p.KEYWORD_ONLY}
    unknown = [name for name in names if name not in keywords]
    if unknown:
        raise TypeError(f"{cls.__name__}: no keyword-only parameters {unknown}")
    positional = [p for p in given if p.kind is not p.KEYWORD_ONLY]
    last = [keywords.pop(name) for name in names] + list(keywords.values())
    cls.__init__.__signature__ = signature.replace(parameters=positional + last)
    by_name = cls.__dataclass_fields__
    named = {p.name for p in given}
    rest = {name: field for name, field in by_name.items() if name not in named}
    ordered = {p.name: by_name[p.name] for p in positional + last if p.name in by_name}
    cls.__dataclass_fields__ = ordered | rest


def readable_signature(cls: Any) -> inspect.Signature:
    """Return the signature of ``__init__`` with plain types, as ``n_clusters: int = 8``.

    Ranges are in the docstring; type checkers read the annotations, which keep them.
    """
    signature, rules = inspect.signature(cls.__init__), rules_of(cls)
    shown = [
        p.replace(annotation=PlainType(_plain(rules[p.name]))) if p.name in rules else p
        for p in signature.parameters.values()
    ]
    return signature.replace(parameters=shown, return_annotation=inspect.Signature.empty)


def _plain(rule: Rule) -> str:
    """Return the type of a rule's values in a word or two."""
    if isinstance(rule, AnyOf):
        return " | ".join(dict.fromkeys(map(_plain, rule.rules)))
    if isinstance(rule, OneOf):
        return " | ".join(map(repr, rule.values))
    if isinstance(rule, Interval):
        return "int" if rule.kind is Integral else "float"
    if isinstance(rule, Instance):
        return "bool" if bool in rule.types else " | ".join(t.__name__ for t in rule.types)
    words = {IsFunction: "callable", IsArray: "array", IsJobs: "int", IsLearner: "estimator"}
    return words.get(type(rule)) or re.sub("^an? ", "", str(rule))


def _complete_doc(cls: Any) -> str:
    """Fill in the sections on parameters and attributes from the fields and the base classes."""
    sections = _sections(cls.__doc__)
    inherited = [_sections(base.__doc__ or "") for base in reversed(cls.__mro__[1:])]
    words: dict[str, str] = {}
    attributes: dict[str, str] = {}
    for held in [*inherited, sections]:
        words |= {name: body for name, _, body in _entries(held.get("Parameters", ""))}
        attributes |= {
            name: head + body for name, head, body in _entries(held.get("Attributes", ""))
        }
    defaults = {f.name: f.default for f in fields(cls)}
    listed, rules = "", rules_of(cls)
    for name in inspect.signature(cls.__init__).parameters:
        if name not in rules or name not in words:
            continue
        default = "" if defaults[name] is MISSING else f", default={defaults[name]!r}"
        listed += f"{name} : {rules[name]}{default}\n{words[name]}"
    filled = {"": sections.pop("")}
    for title, body in (("Parameters", listed), ("Attributes", "".join(attributes.values()))):
        sections.pop(title, None)
        if body:
            filled[title] = body
    return "\n\n".join(
        f"{title}\n{'-' * len(title)}\n{body.strip()}" if title else body.strip()
        for title, body in (filled | sections).items()
    )


def _sections(doc: str) -> dict[str, str]:
    """Divide a docstring at its underlined titles; the text before them has the title ""."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$\n", inspect.cleandoc(doc) + "\n", flags=re.M)
    return {"": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))


def _entries(section: str) -> list[tuple[str, str, str]]:
    """Return the name, the first line and the indented description of every entry."""
    found = re.findall(r"^((\w+).*\n)((?:[ \t]+.*\n|\n(?=[ \t]))*)", section, flags=re.M)
    return [(name, head, body) for head, name, body in found]
