"""Headings and tables in reStructuredText."""

from __future__ import annotations

import re


def escaped(line: str) -> str:
    """Escape bars, and underscores that end a word, outside of quoted code."""
    if line.lstrip().startswith((">>>", "...", "..", ":")):
        return line
    parts = re.split(r"(``.+?``|`[^`]*`)", line)
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"(?<!\\)\||(?<=\w)_(?!\w)(?<!\\)", r"\\\g<0>", parts[k])
    return "".join(parts)


def title(text: str, underline: str = "=") -> str:
    """A heading."""
    return f"{text}\n{underline * len(text)}\n"


def table(head: list[str], rows: list[list[str]], *, widths: str, name: str = "") -> str:
    """A list-table; `name` is its class for style sheets."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}"]
    lines += [f"   :class: {name}", ""] if name else [""]
    for row in [head, *rows]:
        for place, cell in enumerate(row):
            lines.append(f"   {'* -' if place == 0 else '  -'} {cell}".rstrip())
    return "\n".join([*lines, ""])
