"""The examples of the guide run and print what they say."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    page
    for page in sorted([*DOCS.glob("*.rst"), *DOCS.glob("guide/*.rst")])
    if "\n>>> " in page.read_text("utf-8")  # code blocks, which are indented, only show
]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert result.attempted > 0
    assert result.failed == 0
