"""Formulas and names of tests, as the pages show them."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from inline_roles import Formula, TestName


def shown(role, text):
    role.rawtext, role.text = f":role:`{text}`", text
    (node,), messages = role.run()
    assert not messages
    return node


def test_names_of_tests_break_at_their_words_and_are_escaped():
    node = shown(TestName(), "tests/test_b.py::test_<y>")
    broken = "tests/<wbr>test_<wbr>b.py::<wbr>test_<wbr>&lt;y&gt;"
    assert node.astext() == f'<code class="test-name">{broken}</code>'
    assert node["format"] == "html"


def test_a_formula_is_no_code():
    node = shown(Formula(), "θ̂ = argmax")
    assert (node.tagname, node["classes"], node.astext()) == (
        "inline",
        ["formula-line"],
        "θ̂ = argmax",
    )
