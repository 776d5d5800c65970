"""One HTML file from the contents of a study; see `gramian.study.contents` for its parts.

The page is self-contained: its style sheet and script are inside it, and its content security
policy allows only these two, by their digests, so that text from the table could not run or load
anything even if it were not escaped.
"""

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any, NamedTuple

from gramian.base.errors import need
from gramian.report import formatting
from gramian.report.limits import MOST_BYTES, TIERS
from gramian.report.sections import SECTIONS
from gramian.report.view import View
from gramian.study.contents import Contents


def render(contents: Contents) -> str:
    """Return the page as text; it needs no network and no other file.

    Parameters
    ----------
    contents
        The contents of the report: `gramian.study.Study.contents`, or those that
        `gramian.study.contents.Contents.from_json` reads from ``report.json``.

    Returns
    -------
    html
        The page, smaller than two megabytes.

    Examples
    --------
    >>> from gramian import load_example, study
    >>> table, target = load_example("iris")
    >>> found = study.run(table, target, evals=1, models=("LogisticRegression",))
    >>> render(found.contents).startswith("<!doctype html>")
    True
    """
    for limits in TIERS:
        parts = [_Part(s.name, s.title, s.prepare(contents, limits)) for s in SECTIONS]
        page = _page(contents.run, parts)
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


class _Part(NamedTuple):
    """A section with the values of its template; None if it is not shown."""

    name: str
    title: str
    view: View | None


def _page(run: object, parts: list[_Part]) -> str:
    template = _environment().get_template("page.html")
    page: str = template.render(_values(run, [part for part in parts if part.view is not None]))
    return page


def _environment() -> Any:
    jinja2 = need("jinja2", extra="app")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gramian.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    for function in (
        formatting.number,
        formatting.plural,
        formatting.percent,
        formatting.cut,
        formatting.word_parts,
    ):
        environment.filters[function.__name__] = function
    return environment


def _values(run: object, parts: list[_Part]) -> View:
    markup: Any = need("markupsafe", extra="app").Markup
    views = {part.name: part.view for part in parts}
    style, script = _asset("style.css"), _asset("script.js")
    thresholds = (views.get("models") or {}).get("thresholds", {})
    return {
        "run": run,
        "sections": parts,
        "views": views,
        "style": markup(style),
        "script": markup(script),
        "style_digest": _digest(style),
        "script_digest": _digest(script),
        "data": markup(_json({"thresholds": thresholds})),
    }


def _asset(name: str) -> str:
    return (files("gramian.report") / "templates" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash of a text for a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: object) -> str:
    """Write JSON that is safe inside a script element: no character can end the element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
