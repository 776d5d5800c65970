"""One HTML file from the contents of a study; see `gramian.study.contents` for its parts."""

from typing import Any

from gramian.base.errors import need


def render(contents: dict[str, Any]) -> str:
    """Return the page as text; it needs no network and no other file.

    Parameters
    ----------
    contents
        What ``report.json`` of a run directory holds.

    Returns
    -------
    html
        The page.

    Examples
    --------
    >>> from gramian import load_example, study
    >>> table, target = load_example("iris")
    >>> found = study.run(table, target, evals=1, models=("LogisticRegression",))
    >>> render(found.contents).startswith("<!doctype html>")
    True
    """
    jinja2 = need("jinja2", extra="app")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gramian.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["short"] = _short
    return environment.get_template("page.html").render(**contents)  # type: ignore[no-any-return]


def _short(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
