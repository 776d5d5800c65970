"""Examples that run as they are: the imports that an example of a docstring leaves out.

In its module an example knows the names of that module, and doctest runs it there. Who copies it
from a page of the reference needs the imports too; they are put above the first line.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections import defaultdict
from doctest import DocTestParser
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def with_imports(lines: list[str], module: str, public: Mapping[int, str]) -> list[str]:
    """Return the lines of a docstring with the imports that its examples need.

    `module` is where the docstring is; `public` holds by ``id`` the path that offers an object.
    """
    examples = DocTestParser().get_examples("\n".join(lines))
    missing = unknown_names("".join(example.source for example in examples))
    if not missing:
        return lines
    first = next(i for i, line in enumerate(lines) if line.lstrip().startswith(">>>"))
    margin = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    added = [f"{margin}>>> {line}" for line in import_lines(missing, sys.modules[module], public)]
    return [*lines[:first], *added, *lines[first:]]


def unknown_names(source: str) -> list[str]:
    """Return the names that a program uses and nowhere defines or imports."""
    used: set[str] = set()
    known = set(dir(builtins))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else known).add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            known |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            known.add(node.name)
        elif isinstance(node, ast.arg):
            known.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            known.add(node.name)
    return sorted(used - known)


def import_lines(names: list[str], module: ModuleType, public: Mapping[int, str]) -> list[str]:
    """Return the statements that import names as a module knows them, other packages first."""
    plain, packages = [], defaultdict(list)
    for name in names:
        thing = vars(module).get(name)
        package, _, last = public.get(id(thing), "").rpartition(".")
        if isinstance(thing, ModuleType) and "." not in thing.__name__:
            same = thing.__name__ == name
            plain.append(f"import {thing.__name__}" + ("" if same else f" as {name}"))
        elif isinstance(thing, ModuleType):
            packages[thing.__name__.rpartition(".")[0]].append(name)
        elif package and last == name:
            packages[package].append(name)
        elif hasattr(thing, "__module__") and thing.__name__ == name:
            packages[thing.__module__].append(name)
        else:
            raise ValueError(
                f"{module.__name__}: an example uses {name}, which no public package offers; "
                "import or define it in the example."
            )
    listed = [f"from {package} import {', '.join(packages[package])}" for package in packages]
    return plain + sorted(listed, key=lambda line: (line.startswith("from gramian"), line))
