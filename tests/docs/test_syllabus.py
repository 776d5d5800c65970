"""docs/syllabus.toml lists the whole course, and names nothing that is not there."""

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SYLLABUS = tomllib.loads((ROOT / "docs" / "syllabus.toml").read_text())
ITEMS = SYLLABUS["items"]
SERVED = {key: item for key, item in ITEMS.items() if item["status"] == "served"}
COUNTS = {
    "PR": 33, "ES": 23, "DT": 17, "LS": 18, "LT": 28, "OP": 37, "LC": 30, "SV": 15, "RG": 32,
    "DA": 18, "NB": 8, "KE": 15, "TR": 35, "EN": 22, "NN": 30, "DE": 13, "NE": 34, "CN": 10,
    "AE": 7, "DR": 23, "CL": 22, "SG": 13, "ML": 15, "EV": 30, "FE": 21, "PP": 22, "PL": 63,
}  # fmt: skip


def exists(path: str) -> bool:
    """Whether a gallery example or a dotted name of Python is there."""
    if path.startswith("docs/examples/"):
        return (ROOT / path).is_file()
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


def is_test(name: str) -> bool:
    """Whether a pytest id names a test function (parameters in brackets are not looked at)."""
    file, _, inside = name.partition("::")
    *classes, function = inside.partition("[")[0].split("::")
    if not (ROOT / file).is_file() or not function.startswith("test_"):
        return False
    body = ast.parse((ROOT / file).read_text()).body
    for wanted in classes:
        found = [n for n in body if isinstance(n, ast.ClassDef) and n.name == wanted]
        body = found[0].body if found else []
    return any(isinstance(n, ast.FunctionDef) and n.name == function for n in body)


def test_every_item_of_the_course_has_its_line():
    assert Counter(key.partition("-")[0] for key in ITEMS) == COUNTS
    assert len(ITEMS) == 634
    assert set(SYLLABUS["groups"]) == set(COUNTS)
    for prefix, count in COUNTS.items():
        assert all(f"{prefix}-{number:02d}" in ITEMS for number in range(1, count + 1))


def test_titles_are_short_and_differ():
    titles = [item["words"] for item in ITEMS.values()]
    assert all(1 <= len(title.split()) <= 8 for title in titles)
    assert [title for title, count in Counter(titles).items() if count > 1] == []


def test_a_planned_line_names_nothing():
    planned = {key: item for key, item in ITEMS.items() if key not in SERVED}
    assert all(set(item) == {"words", "status"} for item in planned.values())
    assert {item["status"] for item in planned.values()} <= {"planned"}


@pytest.mark.slow
@pytest.mark.parametrize("key", SERVED)
def test_a_served_line_names_what_is_there(key):
    item = SERVED[key]
    assert set(item) == {"words", "status", "where", "tests"}
    assert item["where"]
    assert item["tests"]
    assert [path for path in item["where"] if not exists(path)] == []
    assert [name for name in item["tests"] if not is_test(name)] == []


@cache
def words_of(test: str) -> set[str]:
    """The words of a test's file, and of the gallery examples that it names."""
    text = (ROOT / test.partition("::")[0]).read_text()
    examples = set(re.findall(r"plot_\w+", text)) if test.startswith("tests/docs/") else set()
    for path in (ROOT / "docs" / "examples").glob("*/plot_*.py"):
        if path.stem in examples:
            text += path.read_text()
    return set(re.findall(r"\w+", text))


def names_of(path: str) -> set[str]:
    """What a test of this place would say: a gallery example, or a function, class or method."""
    if path.startswith("docs/examples/"):
        return {Path(path).stem}
    parts = path.split(".")
    return {parts[-1]} | {part for part in parts if part[0].isupper()}


@pytest.mark.parametrize("key", SERVED)
def test_some_test_of_a_line_uses_a_place_of_the_line(key):
    """A step of the core, tested by itself, does not show that the public name uses it."""
    places = set().union(*map(names_of, SERVED[key]["where"]))
    assert places & set().union(*map(words_of, SERVED[key]["tests"]))


def test_the_checks_can_fail():
    this = "tests/docs/test_syllabus.py"
    assert exists("scipy.stats.norm")
    assert not exists("scipy.stats.no_such_law")
    assert not exists("no_such_package.function")
    assert not exists("docs/examples/no_such_file.py")
    assert is_test(f"{this}::test_the_checks_can_fail")
    assert not is_test(f"{this}::test_absent")
    assert not is_test(f"{this}::exists")
    assert not is_test("tests/absent.py::test_x")
    assert not names_of("gramian.cluster.KMeans") & words_of("tests/base/test_errors.py::test_x")
