"""The docstring and the signature of an estimator class, completed from its fields."""

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any

from gramian.base.parameter_rules import Rule, plain_type

__all__ = ["PlainType", "complete_doc", "readable_signature", "reorder"]


@dataclass(frozen=True)
class PlainType:
    """An annotation of a signature that is shown as its words.

    Examples
    --------
    >>> PlainType("int | None")
    int | None
    """

    words: str

    def __repr__(self) -> str:
        return self.words


def reorder(cls: Any, names: Sequence[str]) -> None:
    """Put the keyword-only parameters named first; how the class is called does not change."""
    signature = inspect.signature(cls.__init__)
    parameters = signature.parameters.values()
    keywords = {p.name: p for p in parameters if p.kind is p.KEYWORD_ONLY}
    unknown = [name for name in names if name not in keywords]
    if unknown:
        raise TypeError(f"{cls.__name__}: no keyword-only parameters {unknown}")
    positional = [p for p in parameters if p.kind is not p.KEYWORD_ONLY]
    last = [keywords.pop(name) for name in names] + list(keywords.values())
    cls.__init__.__signature__ = signature.replace(parameters=positional + last)
    by_name = cls.__dataclass_fields__
    named = {p.name for p in parameters}
    rest = {name: field for name, field in by_name.items() if name not in named}
    ordered = {p.name: by_name[p.name] for p in positional + last if p.name in by_name}
    cls.__dataclass_fields__ = ordered | rest


def readable_signature(cls: Any, rules: Mapping[str, Rule]) -> inspect.Signature:
    """Return the signature of ``__init__`` with plain types, as ``n_clusters: int = 8``.

    Ranges are in the docstring; type checkers read the annotations, which keep them.
    """
    signature = inspect.signature(cls.__init__)
    shown = [
        p.replace(annotation=PlainType(plain_type(rules[p.name]))) if p.name in rules else p
        for p in signature.parameters.values()
    ]
    return signature.replace(parameters=shown, return_annotation=inspect.Signature.empty)


def complete_doc(cls: Any, rules: Mapping[str, Rule]) -> str:
    """Fill in the sections on parameters and attributes from the fields and the base classes."""
    sections = _sections(cls.__doc__)
    inherited = [_sections(base.__doc__ or "") for base in reversed(cls.__mro__[1:])]
    words: dict[str, str] = {}
    attributes: dict[str, str] = {}
    for held in [*inherited, sections]:
        words |= {name: body for name, _, body in _entries(held.get("Parameters", ""))}
        attributes |= {
            name: head + body for name, head, body in _entries(held.get("Attributes", ""))
        }
    defaults = {f.name: f.default for f in fields(cls)}
    listed = ""
    for name in inspect.signature(cls.__init__).parameters:
        if name not in rules or name not in words:
            continue
        default = "" if defaults[name] is MISSING else f", default={defaults[name]!r}"
        listed += f"{name} : {rules[name]}{default}\n{words[name]}"
    filled = {"": sections.pop("")}
    for title, body in (("Parameters", listed), ("Attributes", "".join(attributes.values()))):
        sections.pop(title, None)
        if body:
            filled[title] = body
    return "\n\n".join(
        f"{title}\n{'-' * len(title)}\n{body.strip()}" if title else body.strip()
        for title, body in (filled | sections).items()
    )


def _sections(doc: str) -> dict[str, str]:
    """Divide a docstring at its underlined titles; the text before them has the title ""."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$\n", inspect.cleandoc(doc) + "\n", flags=re.M)
    return {"": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))


def _entries(section: str) -> list[tuple[str, str, str]]:
    """Return the name, the first line and the indented description of every entry."""
    found = re.findall(r"^((\w+).*\n)((?:[ \t]+.*\n|\n(?=[ \t]))*)", section, flags=re.M)
    return [(name, head, body) for head, name, body in found]
