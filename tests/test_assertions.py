"""Every test can fail: it asserts, expects an error or a warning, or calls a function that does."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXPECTATIONS = {"raises", "warns", "fail", "check"}  # check: one of scikit-learn's, a parameter


def asserts(function: ast.AST, helpers: set[str]) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in helpers:
            return True
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in EXPECTATIONS or name.startswith("assert_"):
            return True
        if any(word.arg == "check" and ast.unparse(word.value) == "True" for word in node.keywords):
            return True  # a program that must not end with an error
    return False


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in tree.body if isinstance(node, ast.FunctionDef))


def of_tests(tree: ast.Module) -> set[str]:
    """Return the names that a file imports from other files of tests."""
    sources = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {
        name.asname or name.name
        for source in sources
        if (source.module or "").startswith("tests")
        for name in source.names
    }


def idle_tests(files: dict[str, ast.Module]) -> list[str]:
    """Return the tests that cannot fail."""
    helpers: set[str] = set()
    while True:  # until no more functions are found that call one that asserts
        more = {
            node.name
            for tree in files.values()
            for node in functions(tree)
            if not node.name.startswith("test_") and asserts(node, helpers)
        }
        if more <= helpers:
            break
        helpers |= more
    idle = []
    for path, tree in files.items():
        own = {node.name for node in functions(tree)} | of_tests(tree)
        tests = (node for node in functions(tree) if node.name.startswith("test_"))
        idle += [f"{path}::{test.name}" for test in tests if not asserts(test, helpers & own)]
    return idle


@pytest.mark.slow
def test_every_test_can_fail():
    paths = sorted(HERE.rglob("*.py"))
    files = {str(p.relative_to(HERE)): ast.parse(p.read_text(encoding="utf-8")) for p in paths}
    assert len(files) > 500
    assert idle_tests(files) == []


def test_a_test_that_only_calls_is_found():
    lines = [
        "def fits(X):\n    assert X",
        "def test_one():\n    fits(X)",
        "def test_two():\n    KMeans().fit(X)",
    ]
    assert idle_tests({"test_it.py": ast.parse("\n".join(lines))}) == ["test_it.py::test_two"]
