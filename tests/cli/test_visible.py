"""Nothing from a table or a file reaches a terminal as a control character."""

import json
import re
import warnings

import pytest

from gramian.cli.visible import escaped_json, visible, visible_lines, visible_warnings

NASTY = "\x1b]0;title\x07 \x9b31m a\rb\x08 \u202egnp.exe\u2069 \x7f\x00 \udc9b"


def test_control_characters_become_escapes_and_nothing_else_changes():
    shown = visible(NASTY)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown)
    shown.encode()  # no half characters
    assert shown.startswith("\\x1b]0;title\\x07 \\x9b31m a\\rb\\x08 \\u202egnp.exe")
    for plain in ("-3.5e-7", "Köln, 東京, Ελλάδα", "שלום", "👩‍🔬 naïve", "a\\x1b", ""):
        assert visible(plain) == plain


def test_lines_stay_lines():
    assert visible_lines("a\x1b\nb\t\n") == "a\\x1b\nb\\t\n"


def test_json_keeps_its_values():
    value = {NASTY.replace("\udc9b", ""): ["\u202e", "Köln"]}
    text = escaped_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert json.loads(text) == value
    assert visible_lines(text) == text
    assert "Köln" in text


def test_warnings_are_visible():
    before = warnings.formatwarning
    with visible_warnings():
        shown = warnings.formatwarning("column \x1b[31m is constant", UserWarning, "a.py", 3)
    assert "a.py:3: UserWarning: column \\x1b[31m is constant\n" in shown
    assert warnings.formatwarning is before


@pytest.mark.parametrize("text", ["\n", "\t"])
def test_short_escapes(text):
    assert visible(text) == repr(text)[1:-1]
