"""The syllabus page: the items of the course by chapter, and where each is served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rst import escaped, table, title

# Where other projects document a name, by its first part.
ELSEWHERE = {
    "numpy": "https://numpy.org/doc/stable/reference/generated/{}.html",
    "scipy": "https://docs.scipy.org/doc/scipy/reference/generated/{}.html",
    "sklearn": "https://scikit-learn.org/stable/modules/generated/{}.html",
}


def syllabus_page(syllabus: dict[str, Any], course: dict[str, Any], documented: set[str]) -> str:
    """All items by chapter, with counts; `documented` are the paths that have a page."""
    items = syllabus["items"]
    served = sum(item["status"] == "served" for item in items.values())
    planned = len(items) - served
    state = f"{served} implemented and {planned} planned" if planned else "all implemented"
    counts = (
        f"A first graduate course in {len(course['chapters'])} chapters: {len(items)} items, "
        f"{state}. Each line gives the formula, common misprints, a link to the code in gramian, "
        "and the tests, which you can run with `pytest`; hover over a test to see its full name."
    )
    lines = [title("Syllabus"), counts, ""]
    cells = []
    for number, chapter in enumerate(course["chapters"], 1):
        done = sum(items[key]["status"] == "served" for key in chapter["items"])
        count = f"{done} of {len(chapter['items'])}" if planned else f"{done}"
        link_to = f":ref:`{number}. {chapter['title']} <chapter-{number}>`"
        cells.append([link_to, chapter["about"], count])
    head = ["chapter", "about", "implemented" if planned else "items"]
    lines.append(table(head, cells, widths="30 60 10", name="chapters"))
    for number, chapter in enumerate(course["chapters"], 1):
        lines += [f".. _chapter-{number}:", "", title(f"{number}. {chapter['title']}", "-")]
        shown = []
        if "guide" in chapter:
            shown.append(f":doc:`Guide </guide/{chapter['guide']}>`.")
        if "gallery" in chapter:
            shown.append(f":ref:`Examples <sphx_glr_gallery_{chapter['gallery']}>`.")
        lines += [" ".join([chapter["about"], *shown]), ""]
        rows = [syllabus_row(key, items[key], course, documented) for key in chapter["items"]]
        head = ["item", "what", "where", "tests"]
        lines.append(table(head, rows, widths="8 34 28 30", name="syllabus"))
    return "\n".join(lines)


def syllabus_row(
    key: str, item: dict[str, Any], course: dict[str, Any], documented: set[str]
) -> list[str]:
    """One item: its name with formula and trap, its places, its tests."""
    what = [item["words"]]
    if key in course["formulas"]:
        what.append(f":formula:`{course['formulas'][key]}`")
    if key in course["traps"]:
        what.append(f"*Note:* {escaped(course['traps'][key])}")
    places = [link(path, documented) for path in item.get("where", [])]
    tests = [f":test-name:`{test}`" for test in item.get("tests", [])]
    return [
        f"_`{key}`",
        "\n\n       ".join(what),
        ", ".join(places) or item["status"],
        "\n\n       ".join(tests),
    ]


def link(path: str, documented: set[str]) -> str:
    """A place in the syllabus as a reference: a gallery example, or a name of Python."""
    if path.startswith("docs/examples/"):
        folder = Path(path).parent.name
        return f":ref:`sphx_glr_gallery_{folder}_{Path(path).name}`"
    if not path.startswith("gramian."):
        return f"`{path} <{ELSEWHERE[path.split('.')[0]].format(path)}>`__"
    owner = path.rpartition(".")[0]  # the class, where the name is a method
    if path not in documented and owner not in documented:
        raise ValueError(
            f"syllabus.toml: {path} has no page of reference; name it by the package that offers "
            "it, as gramian.linear_model.Ridge."
        )
    package = owner if path in documented else owner.rpartition(".")[0]
    return f":py:obj:`{path.removeprefix(package + '.')} <{path}>`"
