"""Dataclasses to plain JSON values and back, checked field by field.

A number that is not finite is written as null. When read, null becomes None if the field may be
None, and NaN otherwise. Names that are Python keywords, such as ``class_``, lose the underscore.
"""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from gramian.base.errors import DataError

FORMAT = 1  # of report.json and result.json


def plain(value: object) -> Any:
    """Return a dataclass, or a value made of them, as dictionaries, lists and scalars.

    Examples
    --------
    >>> from gramian.study.contents.columns import Histogram
    >>> plain(Histogram((0.0, float("inf")), (3,)))
    {'edges': [0.0, None], 'counts': [3]}
    """
    if is_dataclass(value):
        return {json_name(f.name): plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value


def typed(hint: object, value: object, path: str) -> Any:
    """Convert a JSON value to the type of a hint.

    Parameters
    ----------
    hint
        A dataclass, a scalar type, or a tuple, dictionary, sequence, literal or union of them.
    value
        The plain value.
    path
        Position of the value, for the error.
    """
    origin = get_origin(hint)
    if is_dataclass(hint):
        return _object(hint, value, path)
    if origin in (Union, UnionType):
        return _one_of(get_args(hint), value, path)
    if origin is tuple:
        return _tuple(get_args(hint), value, path)
    if origin is dict:
        if not isinstance(value, dict):
            raise _wrong(path, "an object", value)
        inside = get_args(hint)[1]
        return {key: typed(inside, item, f"{path}.{key}") for key, item in value.items()}
    if origin is Sequence:
        inside = get_args(hint)[0]
        return [typed(inside, v, f"{path}[{i}]") for i, v in enumerate(_list(value, path))]
    if origin is Literal:
        if value not in get_args(hint):
            raise _wrong(path, " or ".join(map(repr, get_args(hint))), value)
        return value
    return _scalar(hint, value, path)


def json_name(name: str) -> str:
    """Return the name of a field in JSON."""
    return name.rstrip("_")


@cache
def hints_of(kind: type) -> dict[str, object]:
    """Return the types of the fields of a dataclass."""
    return {name: hint for name, hint in get_type_hints(kind).items() if name[0] != "_"}


def _object(kind: Any, value: object, path: str) -> object:
    if not isinstance(value, dict):
        raise _wrong(path, "an object", value)
    hints = {json_name(f.name): (f.name, hints_of(kind)[f.name]) for f in fields(kind)}
    for name in hints:
        if name not in value:
            raise DataError(f"{path}.{name}: the field is missing.")
    for name in value:
        if name not in hints:
            raise DataError(f"{path}.{name}: there is no such field.")
    found = {own: typed(hint, value[key], f"{path}.{key}") for key, (own, hint) in hints.items()}
    made: object = kind(**found)
    return made


def _one_of(hints: tuple[object, ...], value: object, path: str) -> object:
    """Convert a value to the first matching type; an object to the class with its fields."""
    if isinstance(value, dict):
        kinds = [hint for hint in hints if is_dataclass(hint)]
        same = [k for k in kinds if {json_name(f.name) for f in fields(k)} == value.keys()]
        hints = tuple(same or kinds[:1] or hints)
    if len(hints) == 1 or (value is not None and len(set(hints) - {NoneType}) == 1):
        return typed(next(hint for hint in hints if hint is not NoneType), value, path)
    if type(value) in hints:
        return value
    for hint in hints:
        if value is None and hint is not NoneType:
            continue
        try:
            return typed(hint, value, path)
        except DataError as error:
            last = error
    raise last


def _tuple(hints: tuple[object, ...], value: object, path: str) -> tuple[object, ...]:
    items = _list(value, path)
    if hints[-1] is Ellipsis:
        return tuple(typed(hints[0], v, f"{path}[{i}]") for i, v in enumerate(items))
    if len(items) != len(hints):
        raise _wrong(path, f"a list of {len(hints)}", value)
    pairs = enumerate(zip(hints, items, strict=True))
    return tuple(typed(hint, item, f"{path}[{i}]") for i, (hint, item) in pairs)


def _list(value: object, path: str) -> list[object]:
    if not isinstance(value, list):
        raise _wrong(path, "a list", value)
    return value


_WORDS: dict[object, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    NoneType: "null",
}


def _scalar(hint: object, value: object, path: str) -> object:
    if type(value) is hint:
        return value
    if hint is float and value is None:
        return float("nan")
    if hint is float and type(value) is int:
        return float(value)
    raise _wrong(path, _WORDS[hint], value)


def _wrong(path: str, wanted: str, value: object) -> DataError:
    shown = repr(value)
    return DataError(f"{path} must be {wanted}; got {shown if len(shown) < 60 else shown[:57]}.")
