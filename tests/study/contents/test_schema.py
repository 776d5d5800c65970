"""The published schema is that of the dataclasses, and reports satisfy it."""

import copy
import json
from pathlib import Path

import pytest

from gramian import Ridge
from gramian.study import Study
from gramian.study.contents.schema import report_schema
from gramian.study.run_folder import write_study

PUBLISHED = Path(__file__).parents[3] / "docs" / "report_schema.json"


def fits(value, schema, definitions):
    """Whether a value satisfies a schema, of the words of JSON Schema that ours has."""
    known = {
        "description",
        "title",
        "$schema",
        "$defs",
        "$ref",
        "anyOf",
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "prefixItems",
        "minItems",
        "enum",
    }
    assert schema.keys() <= known  # fmt: skip
    if "$ref" in schema:
        return fits(value, definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    if "anyOf" in schema:
        return any(fits(value, each, definitions) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, name) for name in wanted):
        return False
    if isinstance(value, dict):
        own, others = schema.get("properties", {}), schema["additionalProperties"]
        return set(schema.get("required", ())) <= value.keys() and all(
            (others is not False or k in own) and fits(v, own.get(k, others), definitions)
            for k, v in value.items()
        )
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        rest = value[len(first) :]
        return len(value) >= schema.get("minItems", 0) and all(
            fits(v, s, definitions) for v, s in zip(value, first, strict=False)
        ) and (not rest if schema["items"] is False else
               all(fits(v, schema["items"], definitions) for v in rest))  # fmt: skip
    return True


def _is(value, name):
    kinds = {"string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}
    if name in kinds:
        return isinstance(value, kinds[name])
    number = int if name == "integer" else int | float
    return isinstance(value, number) and not isinstance(value, bool)


def test_the_published_schema_matches_the_dataclasses():
    """To write it again: python -m gramian.study.contents.schema > docs/report_schema.json."""
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == report_schema()


def test_the_files_of_every_task_satisfy_it(every, tmp_path):
    definitions = json.loads(PUBLISHED.read_text(encoding="utf-8"))["$defs"]
    for contents in every:
        write_study(tmp_path, Study(Ridge(), contents))
        for name, other in (("report", "result"), ("result", "report")):
            value = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
            assert fits(value, definitions[name], definitions), (name, contents.run.task)
            assert not fits(value, definitions[other], definitions)


@pytest.mark.parametrize("change", ["missing", "unknown", "wrong"])
def test_a_changed_report_does_not(classes, change):
    schema, value = report_schema(), copy.deepcopy(classes.to_json())
    if change == "missing":
        del value["leaderboard"][0]["rank"]
    elif change == "unknown":
        value["test"]["more"] = 1
    else:
        value["comparison"]["pairs"][0]["p"] = "small"
    assert not fits(value, schema, schema["$defs"])
