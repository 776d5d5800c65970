"""The rules that a parameter's value must satisfy, each with its condition in words.

An estimator's fields name them in their annotations; see base/fields.py.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, Protocol

import numpy as np

__all__ = [
    "AnyOf",
    "Instance",
    "Interval",
    "IsArray",
    "IsFunction",
    "IsJobs",
    "IsLearner",
    "OneOf",
    "Rule",
    "any_of",
    "hint",
    "plain_type",
    "shown",
]

LARGEST_SEED = 2**64 - 1
_LARGEST = 2**63 - 1  # largest integer, unless the rule has its own bound


class Rule(Protocol):
    """Accepts or rejects a value; ``str(rule)`` states the condition."""

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
        """Return whether the value is a number in the interval; booleans and NaN are not."""
        if not self._has_kind(value):
            return False
        x: Any = value
        if x != x or not _fits(x):  # NaN
            return False
        if isinstance(x, np.floating):
            x = float(x)  # comparing float32 with a larger number would warn
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
            end = "2**64 - 1" if high == LARGEST_SEED else high  # rather than 20 digits
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
        return -(2**63) <= int(value) <= LARGEST_SEED
    try:
        return bool(np.isfinite(float(value))) or value in (np.inf, -np.inf)
    except OverflowError:
        return False


@dataclass(frozen=True)
class OneOf:
    """A closed list of values."""

    values: tuple[object, ...]

    def accepts(self, value: object) -> bool:
        """Return whether the value is in the list, with its type."""
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
        """Return whether the value is a function."""
        return callable(value) and not isinstance(value, type)

    def __str__(self) -> str:
        return "a function"


@dataclass(frozen=True)
class IsArray:
    """Arrays, frames and nested sequences, of numbers that floats can hold, strings and None.

    Their shape and what the numbers mean are checked where they are used.
    """

    def accepts(self, value: object) -> bool:
        """Return whether the value can be converted to an array."""
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
        """Return whether the value is a number of threads."""
        if not isinstance(value, Integral) or isinstance(value, bool):
            return False
        return value != 0 and -(2**31) <= int(value) < 2**31

    def __str__(self) -> str:
        return "an integer of 32 bits other than 0"


@dataclass(frozen=True)
class IsLearner:
    """Estimators: what can be fitted and cloned, but not a class."""

    def accepts(self, value: object) -> bool:
        """Return whether the value is an estimator."""
        able = hasattr(value, "fit") and hasattr(value, "get_params")
        return able and not isinstance(value, type)

    def __str__(self) -> str:
        return "an estimator"


@dataclass(frozen=True)
class AnyOf:
    """At least one of several rules."""

    rules: tuple[Rule, ...]

    def accepts(self, value: object) -> bool:
        """Return whether one of the rules accepts the value."""
        return any(rule.accepts(value) for rule in self.rules)

    def __str__(self) -> str:
        return " or ".join(map(str, self.rules))


def any_of(rules: Iterable[Rule]) -> AnyOf:
    """Return the rule that accepts what any of the given rules accepts."""
    return AnyOf(tuple(_flatten(rules)))


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
    nones = [v for v in values if v is None]
    named = [v for v in values if v is not None]
    if named:
        yield OneOf(tuple(named))
    yield from others
    if nones:
        yield OneOf((None,))


def shown(value: object) -> str:
    """Return the text of a value for an error message, shortened."""
    if isinstance(value, int) and value.bit_length() > 600:
        return f"an integer of about {int(value.bit_length() * 0.30103) + 1} digits"
    try:
        text = repr(value)
    except ValueError:  # Python does not write out integers of many thousand digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= 200 else f"{text[:200]}..."


def hint(rule: Rule, value: object) -> str:
    """Return advice for a value that breaks the rule, after a space; "" where none is known."""
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


def plain_type(rule: Rule) -> str:
    """Return the type of a rule's values, as a signature shows it."""
    if isinstance(rule, AnyOf):
        return " | ".join(dict.fromkeys(map(plain_type, rule.rules)))
    if isinstance(rule, OneOf):
        return " | ".join(map(repr, rule.values))
    if isinstance(rule, Interval):
        return "int" if rule.kind is Integral else "float"
    if isinstance(rule, Instance):
        return "bool" if bool in rule.types else " | ".join(t.__name__ for t in rule.types)
    words = {IsFunction: "callable", IsArray: "array", IsJobs: "int", IsLearner: "estimator"}
    return words.get(type(rule)) or re.sub("^an? ", "", str(rule))
