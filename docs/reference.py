"""The front page of the reference, and a page for each package: names and first sentences."""

from __future__ import annotations

import inspect
from collections import defaultdict
from importlib import import_module
from typing import Any

from rst import escaped, table, title

HELPERS = "gramian.base"


def resolve(path: str) -> Any:
    """Return what a dotted path names."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def last(path: str) -> str:
    """The last part of a dotted path."""
    return path.rpartition(".")[2]


def first_line(thing: Any) -> str:
    """The first sentence of a docstring."""
    return escaped((inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " "))


def by_package(paths: dict[str, list[str]], families: dict[str, str]) -> dict[str, list[str]]:
    """The documented paths by package, in the order of headings; estimators first."""
    found: dict[str, list[str]] = defaultdict(list)
    for group in paths.values():
        for path in group:
            found[package_of(path)].append(path)
    return {
        package: found[package] for package in sorted(found, key=lambda p: heading(p, families))
    }


def package_of(path: str) -> str:
    """The package whose page lists a path; of the course, the room."""
    parts = path.split(".")
    return ".".join(parts[: 3 if parts[1] == "textbook" else 2])


def names(members: list[str]) -> str:
    """A table of names and what they are."""
    cells = [[f":doc:`{last(path)} <{path}>`", first_line(resolve(path))] for path in members]
    return table(["name", "what"], cells, widths="35 65", name="names")


def heading(package: str, families: dict[str, str]) -> str:
    """What the reference calls a package."""
    if package == HELPERS:
        return "Helpers and errors"
    inside = [words for words, place in families.items() if place.startswith(f"{package}.")]
    named = {place: words for words, place in families.items()}
    return named.get(package) or inside[0]


def family_page(package: str, members: list[str], families: dict[str, str]) -> str:
    """The page of a package; the list beside each of its names is made from it."""
    lines = [title(heading(package, families)), about(package), names(members)]
    lines += [".. toctree::", "   :hidden:", "", *[f"   {path}" for path in members], ""]
    return "\n".join(lines)


def about(package: str) -> str:
    """Where the names of a package are imported from, and what it is for."""
    if package == HELPERS:
        return "Functions and classes of `gramian` itself.\n"
    words = (inspect.getdoc(import_module(package)) or "").split("\n\n")[0].replace("\n", " ")
    return f"``{package}``: {escaped(words)}\n"


def index(paths: dict[str, list[str]], families: dict[str, str]) -> str:
    """The front page of the reference: every name with its first sentence, by package."""
    packages = by_package(paths, families)
    offered = (
        "Every estimator, and a few everyday functions, are also available as `gramian.<name>`.\n"
    )
    lines = [title("Reference"), offered]
    lines += [".. toctree::", "   :hidden:", "", *[f"   {package}" for package in packages], ""]
    for package, members in packages.items():
        lines += [title(heading(package, families), "-"), about(package), names(members)]
    return "\n".join(lines)
