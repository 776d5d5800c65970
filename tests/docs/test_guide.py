"""The examples of the guide run, and print what they say."""

import doctest
import re
from pathlib import Path
from textwrap import dedent

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

DOCS = Path(__file__).parents[2] / "docs"
ALL = sorted([*DOCS.glob("*.rst"), *DOCS.glob("guide/*.rst")])
PAGES = [page for page in ALL if "\n>>> " in page.read_text("utf-8")]
BLOCK = re.compile(r"^\.\. code-block:: python\n\n((?:   .*\n|\n)+)", re.M)
STUDIES = {"command", "deployment", "report"}  # whole studies, and the files that they write
SONGS = """@relation songs
@attribute tempo numeric
@attribute calm {0, 1}
@attribute sad {0, 1}
@data
0.5, 1, 0
0.8, 0, 1
"""
LABELS = '<labels><label name="calm"/><label name="sad"/></labels>'


def blocks(page):
    """Return the blocks of Python of a page, but for sessions that show their output."""
    found = [dedent(code) for code in BLOCK.findall(page.read_text("utf-8"))]
    return [code for code in found if not code.startswith(">>> ")]


RUN = [page for page in ALL if page.stem not in STUDIES and blocks(page)]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=[page.stem for page in RUN])
def test_the_code_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    """As a reader copies it: what a block uses is imported or made on the same page."""
    monkeypatch.chdir(tmp_path)
    Path("songs.arff").write_text(SONGS)
    Path("songs.xml").write_text(LABELS)
    names = {"__name__": page.stem}
    for code in blocks(page):
        exec(compile(code, str(page), "exec"), names)
    assert names.keys() > {"__name__", "__builtins__"}  # the blocks ran, and made something


def test_the_page_of_figures_lists_every_function_that_draws():
    import gramian

    page = (DOCS / "guide" / "figures.rst").read_text("utf-8")
    listed = re.findall(r"`(\w+)`", "\n".join(re.findall(r"^`.*$", page, re.M)))
    drawn = [*gramian.plot.__all__, *gramian.textbook.figures.__all__]
    assert sorted(listed) == sorted(drawn)
