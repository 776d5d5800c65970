"""Formulas of docstrings can be shown by every browser."""

import re
from pathlib import Path

import pytest

import gramian

latex = pytest.importorskip("docutils.utils.math.latex2mathml")

FORMULA = re.compile(r":math:`([^`]+)`|^ *\.\. math:: *([^\n]+(?:\n +[^\n]+)*)", re.M)
SOURCES = {path: path.read_text("utf-8") for path in Path(gramian.__file__).parent.rglob("*.py")}
WITH_FORMULAS = [path for path, text in SOURCES.items() if FORMULA.search(text)]


@pytest.mark.parametrize("path", WITH_FORMULAS, ids=[path.stem for path in WITH_FORMULAS])
def test_every_formula_is_known_to_docutils(path):
    for inline, block in FORMULA.findall(SOURCES[path]):
        formula = " ".join((inline or block).split())
        assert latex.tex2mathml(formula).startswith("<math")
