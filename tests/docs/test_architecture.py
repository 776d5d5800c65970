"""ARCHITECTURE.md and its diagrams name every package, in the order of the import contract."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "gramian"


def contract():
    """The packages of the import contract, in order."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["containers"] == ["gramian"])
    return [name for line in layers for name in re.findall(r"\w+", line) if name != "__main__"]


def test_the_contract_names_every_package():
    folders = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert set(contract()) == folders | {"everyday"}


def test_the_list_of_packages_follows_the_contract():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    block = text.split("```")[1].strip().splitlines()
    listed = [name for line in block for name in re.split(r"  +", line)[0].split(", ")]
    assert listed == [*contract(), "_native"]


def test_the_diagram_of_levels_shows_every_package_once():
    shown = re.findall(
        r'<text class="package"[^>]*>(\w+)<', (ROOT / "docs/_static/levels.svg").read_text()
    )
    assert sorted(shown) == sorted([*contract(), "_native"])


def test_files_named_in_the_diagram_of_a_fit_exist():
    drawing = (ROOT / "docs/_static/life_of_a_fit.svg").read_text()
    named = re.findall(r"[\w/]+\.py", drawing)
    assert named
    assert [name for name in named if not (SOURCE / name).exists()] == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_paths_named_by_the_page_exist(page):
    text = (ROOT / page).read_text()
    named = {
        word.strip("/")
        for code in re.findall(r"`([^`\n]+)`", text)
        for word in code.split()
        if "/" in word and not re.search(r"[<>*|=\"(]|^-", word)
    }
    families = [SOURCE, *(path for path in SOURCE.iterdir() if path.is_dir())]
    places = [ROOT, *families]
    missing = [n for n in sorted(named) if not any((place / n).exists() for place in places)]
    assert missing == []
