"""Formulas of docstrings and of the guide can be shown by every browser."""

import re
import sys
from pathlib import Path

import pytest

import gramian

pytest.importorskip("docutils.utils.math.latex2mathml")
DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))

import mathml  # noqa: E402

FORMULA = re.compile(r":math:`([^`]+)`|^ *\.\. math:: *([^\n]+(?:\n +[^\n]+)*)", re.M)
PAGES = [*Path(gramian.__file__).parent.rglob("*.py"), *DOCS.glob("guide/*.rst")]
SOURCES = {path: path.read_text("utf-8") for path in PAGES}
WITH_FORMULAS = [path for path, text in SOURCES.items() if FORMULA.search(text)]


@pytest.mark.parametrize("path", WITH_FORMULAS, ids=[path.stem for path in WITH_FORMULAS])
def test_every_formula_is_known_to_docutils(path):
    for inline, block in FORMULA.findall(SOURCES[path]):
        formula = " ".join((inline or block).split())
        assert mathml.drawn(formula, as_block=False).startswith("<math")


@pytest.mark.parametrize("formula", [r"\frac12 |w|", r"\frac 1 2 |w|", r"\frac{1}{2} |w|"])
def test_a_half_is_one_over_two(formula):
    drawn = "".join(mathml.drawn(formula, as_block=True).split())
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in drawn
