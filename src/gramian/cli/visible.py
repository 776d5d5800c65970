"""Text of tables and files as a terminal may show it: control characters become visible escapes.

Names of columns, values, classes, paths and settings of files may hold characters by which a
terminal moves its cursor, changes its title or colours, or reads from right to left. All that the
command prints for people passes through `visible`; files and pipes of data get the text as it is.
"""

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Control characters (C0, DEL, C1), marks and overrides of direction, separators of lines, and
# halves of a character (of names of files that are no text), which cannot be printed at all.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    r"""Return a text in which control characters are escapes that one can read.

    Examples
    --------
    >>> visible("\x1b[31mred\x07, Köln 東京 −3.5\n")
    '\\x1b[31mred\\x07, Köln 東京 −3.5\\n'
    """
    return _UNSEEN.sub(_escape, text)


def visible_lines(text: str) -> str:
    """Return a text of several lines, each of them visible."""
    return "\n".join(visible(line) for line in text.split("\n"))


def escaped_json(text: str) -> str:
    r"""Return JSON in which these characters are JSON's own escapes: the same values.

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
