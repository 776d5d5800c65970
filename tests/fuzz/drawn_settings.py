"""Parameters drawn at random from the rules of an estimator, extreme but legal ones among them."""

from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import clone

from gramian.base.fields import rules_of
from gramian.base.parameter_rules import AnyOf, Instance, Interval, IsFunction, IsJobs, OneOf, Rule

INTEGERS = (1, 2, 3, 5, 10, 40, 100, 1000)
EXTREME_INTEGERS = (
    2**15,
    2**31 - 1,
    2**31,
    2**32,
    2**53 + 1,
    2**63 - 1,
    2**63,
    2**64,
    10**30,
    10**400,
)
NUMBERS = (0.01, 0.1, 0.25, 0.5, 0.9, 1.0, 1.5, 2.0, 10.0, 100.0)
EXTREME_NUMBERS = (0.0, 5e-324, 1e-300, 1e-160, 1e-20, 1e20, 1e160, 1e300, 1.7e308, np.inf, -np.inf,
                   np.nan, 10**400, Fraction(1, 3), np.float32(0.3),
                   np.longdouble("1e4000"))  # fmt: skip

# An integer of these asks for work or memory in proportion; large ones would only take long.
AMOUNTS = (
    "n_estimators", "n_components", "n_init", "max_iter", "n_functions", "n_tables", "degree",
    "n_candidates", "tries", "max_fun", "n_quantiles", "n_landmarks", "pretrain_iter",
    "max_no_improvement", "n_repeats", "leaf_steps", "n_centers", "n_sets", "size", "max_size",
    "max_samples",
)  # fmt: skip


def redraw(draw: np.random.Generator, model: Any) -> dict[str, Any]:
    """Set one to four parameters of a copy; return what was set."""
    rules = rules_of(type(model))
    names = [n for n in rules if n not in ("callback", "estimator", "estimators", "random_state")]
    chosen: dict[str, Any] = {}
    if names:
        for name in draw.choice(names, size=min(len(names), draw.integers(1, 5)), replace=False):
            found = _value(draw, str(name), rules[name])
            if found is not _NOTHING:
                chosen[str(name)] = found
    return chosen


def with_params(model: Any, chosen: dict[str, Any]) -> Any:
    """Return a copy with these parameters."""
    return clone(model).set_params(**chosen)


_NOTHING = object()


def _value(draw: np.random.Generator, name: str, rule: Rule) -> Any:
    """Draw a value for a rule: mostly one that it allows."""
    parts = rule.rules if isinstance(rule, AnyOf) else (rule,)
    part = parts[draw.integers(len(parts))]
    if isinstance(part, OneOf):
        return part.values[draw.integers(len(part.values))]
    if isinstance(part, Interval):
        return _number(draw, name, part)
    if isinstance(part, IsJobs):
        return [None, 1, 2, -1, -2, 2**31 - 1, -(2**31), 0, 2**63][draw.integers(9)]
    if isinstance(part, IsFunction):
        return _FUNCTIONS[draw.integers(len(_FUNCTIONS))]
    if isinstance(part, Instance) and bool in part.types:
        return bool(draw.integers(2))
    if isinstance(part, Instance) and dict in part.types:
        return _DICTS[draw.integers(len(_DICTS))]
    if str(part) == "an array":
        return _ARRAYS[draw.integers(len(_ARRAYS))]
    return _NOTHING


# Class weights and parameters of metrics.
_DICTS: tuple[Any, ...] = (
    {}, {"ash": 2.0}, {"ash": 10**400}, {0: 1.0}, {"ash": np.nan},
    {"p": 3}, {"p": 0.5}, {"p": 10**400}, {"V": [1.0, 2.0]}, {"VI": [[1.0]]}, {"w": [1.0, np.nan]},
)  # fmt: skip

# What a function raises is the user's own error; what it returns is for us to check.
_FUNCTIONS: tuple[Any, ...] = (
    lambda *arguments, **named: 1.0,
    lambda *arguments, **named: np.nan,
    lambda *arguments, **named: None,
    lambda *arguments, **named: arguments[0] if arguments else "text",
)

_ARRAYS: tuple[Any, ...] = (
    [], [1.0], [0.1, 1.0], [1, 2, 3], [0.2, 0.3, 0.5], [[1.0, 2.0], [3.0, 4.0]], np.eye(3),
    np.zeros(4),
    [np.nan, 1.0, 1.0], [1e300, 1.0, 1.0], [5e-324, 1.0, 1.0], [10**400], ["a", "b"], [None],
    np.array(["2026-01-01"], dtype="M8[D]"), [1 + 1j], [[1], [2, 3]], (10, 5), (1,), (10**9,),
    (-1, 2),
)  # fmt: skip


def _number(draw: np.random.Generator, name: str, part: Interval) -> Any:
    whole = part.kind is Integral
    if draw.random() < 0.35:
        extreme: Any = EXTREME_INTEGERS if whole else EXTREME_NUMBERS
        if whole and any(name.startswith(a) for a in AMOUNTS):
            extreme = (10**400, 10**30, 2**63)
        value = extreme[draw.integers(len(extreme))]
        return value if draw.random() < 0.9 or value != value or value == np.inf else -value
    ordinary: Any = INTEGERS if whole else NUMBERS
    allowed = [v for v in (*ordinary, part.low, part.high) if v is not None and part.accepts(v)]
    if not allowed:
        return part.low if part.low is not None else 1
    value = allowed[draw.integers(len(allowed))]
    return value if part.kind is not Real or draw.random() < 0.8 else np.float64(value)
