"""Contents made from the fields that a test is about; the others are blank."""

from collections.abc import Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from gramian.study.contents import (
    ClusterContents,
    Contents,
    LabelContents,
    SupervisedContents,
)
from gramian.study.contents.serialize import hints_of, json_name, typed

_BLANK = {str: "", int: 0, float: 0.0, bool: False, NoneType: None}


def contents_of(values: dict[str, Any]) -> Contents:
    """Return contents with the given JSON fields, of the kind that has them all."""
    kinds = (Contents, ClusterContents, LabelContents, SupervisedContents)
    kind = next(k for k in kinds if values.keys() <= {f.name for f in fields(k)})
    return part_of(kind, values)


def part_of(kind: Any, values: dict[str, Any]) -> Any:
    """Return a dataclass with the given JSON fields."""
    return typed(kind, _filled(kind, values), "given")


def _filled(hint: Any, values: Any) -> Any:
    inside = get_args(hint)
    if isinstance(values, dict):
        if get_origin(hint) in (Union, UnionType):
            kinds = [k for k in inside if is_dataclass(k) and values.keys() <= _names(k)]
            hint = min(kinds, key=lambda k: len(_names(k))) if kinds else inside[0]
        if get_origin(hint) is dict:
            return {key: _filled(get_args(hint)[1], value) for key, value in values.items()}
        return {
            json_name(f.name): _filled(hints_of(hint)[f.name], values[json_name(f.name)])
            if json_name(f.name) in values
            else (_blank(hints_of(hint)[f.name]) if f.default is MISSING else f.default)
            for f in fields(hint)
        }
    if isinstance(values, list) and get_origin(hint) is tuple:
        return [_filled(inside[0], each) for each in values]
    return values


def _names(kind: Any) -> set[str]:
    return {json_name(f.name) for f in fields(kind)}


def _blank(hint: Any) -> Any:
    origin, inside = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return _filled(hint, {})
    if origin in (Union, UnionType):
        return None if NoneType in inside else _blank(inside[0])
    if origin in (tuple, Sequence):
        return [] if inside[-1] is Ellipsis else [_blank(each) for each in inside]
    if origin is dict:
        return {}
    return inside[0] if origin is Literal else _BLANK[hint]
