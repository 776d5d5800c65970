"""Make text of tables and files safe for a terminal: escape control characters.

Names of columns, values, classes, paths and settings may contain characters that move the cursor of
a terminal, change its title or colours, or reverse the text direction. All text that the command
prints for people passes through `visible`; files and data pipes get the unchanged text.
"""

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Control characters (C0, DEL, C1), direction marks and overrides, line separators, and surrogates
# (in file names that are not valid text), which cannot be printed.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    r"""Return a text with control characters as readable escapes.

    Examples
    --------
    >>> visible("\x1b[31mred\x07, Köln 東京 −3.5\n")
    '\\x1b[31mred\\x07, Köln 東京 −3.5\\n'
    """
    return _UNSEEN.sub(_escape, text)


def visible_lines(text: str) -> str:
    """Apply `visible` to each line of a text."""
    return "\n".join(visible(line) for line in text.split("\n"))


def escaped_json(text: str) -> str:
    r"""Return JSON with these characters as JSON escapes; the values are the same.

    Examples
    --------
    >>> print(escaped_json('{"a": "\x9b\u202e"}'))
    {"a": "\u009b\u202e"}
    """
    return _UNSEEN.sub(lambda m: m[0] if m[0] == "\n" else f"\\u{ord(m[0]):04x}", text)


@contextmanager
def visible_warnings() -> Iterator[None]:
    """Show warnings, which may name columns and values, as visible text."""
    shown = warnings.formatwarning

    def formatted(*about: Any, **named: Any) -> str:
        return visible_lines(shown(*about, **named))

    warnings.formatwarning = formatted
    try:
        yield
    finally:
        warnings.formatwarning = shown


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout.isatty()


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return _SHORT.get(found[0]) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
