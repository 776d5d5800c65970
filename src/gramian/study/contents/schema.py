"""The JSON Schema of ``report.json`` and ``result.json``, made from the dataclasses.

Reference: JSON Schema, draft 2020-12.
"""

import inspect
import json
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from gramian.study.contents.contents import ClusterContents, LabelContents, SupervisedContents
from gramian.study.contents.result import ClusterResult, LabelResult, SupervisedResult
from gramian.study.contents.serialize import FORMAT, hints_of, json_name

_SCALARS: dict[object, dict[str, object]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": ["number", "null"]},  # null where it is not finite
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


def report_schema() -> dict[str, object]:
    """Return the schema of both files, in the definitions `report` and `result`."""
    definitions: dict[str, object] = {}
    files = {
        "report": (SupervisedContents, ClusterContents, LabelContents),
        "result": (SupervisedResult, ClusterResult, LabelResult),
    }
    for name, kinds in files.items():
        definitions[name] = {"anyOf": [_schema(kind, definitions) for kind in kinds]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "report.json and result.json",
        "description": f"The contents of a report and of a result, format {FORMAT}. A number that "
        "is not finite is null.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in files],
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(hint: object, definitions: dict[str, object]) -> dict[str, object]:
    origin, inside = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return _object(hint, definitions)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(each, definitions) for each in inside]}
    if origin is tuple and inside[-1] is not Ellipsis:
        items = [_schema(each, definitions) for each in inside]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}
    if origin in (tuple, Sequence):
        return {"type": "array", "items": _schema(inside[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inside[1], definitions)}
    if origin is Literal:
        return {"enum": list(inside)}
    return dict(_SCALARS[hint])


def _object(kind: Any, definitions: dict[str, object]) -> dict[str, object]:
    """Define a dataclass once, and return a reference to it."""
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # ends the recursion for a class that contains itself
        hints = hints_of(kind)
        names = [f.name for f in fields(kind)]
        definitions[name] = {
            "description": (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " "),
            "type": "object",
            "properties": {json_name(n): _schema(hints[n], definitions) for n in names},
            "required": [json_name(n) for n in names],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


if __name__ == "__main__":
    print(json.dumps(report_schema(), indent=1))  # noqa: T201
