"""One HTML file from the contents of a study; see `gramian.study.findings.contents` for its parts.

The page is self-contained: its style sheet and script are inside it, and its content security
policy allows only these two, by their digests, so that text from the table could not run or load
anything even if it were not escaped.
"""

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any

from gramian.base.errors import need
from gramian.report import formatting
from gramian.report.limits import MOST_BYTES, TIERS, Limits
from gramian.report.sections import SECTIONS, Section


def render(contents: dict[str, Any]) -> str:
    """Return the page as text; it needs no network and no other file.

    Parameters
    ----------
    contents
        The contents of ``report.json`` in a run directory.

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
    return _page(contents, SECTIONS)


def _page(contents: dict[str, Any], sections: tuple[Section, ...]) -> str:
    template = _environment().get_template("page.html")
    for limits in TIERS:
        page: str = template.render(_values(contents, sections, limits))
        if len(page.encode()) <= MOST_BYTES:
            break
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


def _values(
    contents: dict[str, Any], sections: tuple[Section, ...], limits: Limits
) -> dict[str, Any]:
    markup: Any = need("markupsafe", extra="app").Markup
    shown = [s for s in sections if s.needs in contents]
    views = {s.name: s.prepare(contents, limits) for s in shown}
    style, script = _asset("style.css"), _asset("script.js")
    return {
        "run": contents["run"],
        "sections": [s for s in shown if views[s.name] is not None],
        "views": views,
        "style": markup(style),
        "script": markup(script),
        "style_digest": _digest(style),
        "script_digest": _digest(script),
        "data": markup(_json({"thresholds": views.get("models", {}).get("thresholds", {})})),
    }


def _asset(name: str) -> str:
    return (files("gramian.report") / "templates" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the name of a text in a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: Any) -> str:
    """Write JSON that is safe inside a script element: no character there can end it."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
