"""The run card: settings, data, and the command that repeats the run."""

import shlex

from gramian.report.formatting import duration, number, plural
from gramian.report.limits import Limits
from gramian.report.sections.commands import FLAGS
from gramian.report.view import View
from gramian.study.contents import Contents
from gramian.study.contents.run_card import RunCard

_DEFAULTS = {
    "task": "auto",
    "alpha": 0.05,
    "test_size": 0.2,
    "labels": [],
    "drop": [],
    "categorical": [],
}


def card(contents: Contents, _: Limits) -> View:
    """Return facts as pairs of a name and a text, and the command."""
    run = contents.run
    data = run.data
    rows = plural(data.rows, "row")
    if data.rows_used != data.rows:
        rows += f", {data.rows_used:,} used"
    made, planned = run.evaluations.made, run.evaluations.planned
    facts = [
        ("Data", f"{data.name} ({data.format}): {rows}, {data.columns:,} columns"),
        ("Task", f"{run.task}, because {run.reason}"),
        ("Target", run.target),
        ("Metric", run.metric),
        ("Split", run.split),
        ("Settings tried", f"{made:,} of {planned:,}"),
        ("Time", duration(run.seconds) if run.seconds else None),
        ("Seed", str(run.seed)),
        ("Significance level", number(run.alpha) if run.target else None),
        ("Versions", ", ".join(f"{k} {v}" for k, v in run.versions.items())),
    ]
    return {
        "facts": [(name, text) for name, text in facts if text],
        "digest": data.sha256,
        "notes": data.notes,
        "command": command(run),
        "complete": run.complete,
    }


def command(run: RunCard) -> str:
    """Return the command line of the same run.

    Examples
    --------
    >>> from gramian.study.contents.run_card import DataSource, Evaluations
    >>> data = DataSource("wine", "built in", None, 178, 178, 14, ())
    >>> settings = {"target": "cultivar", "seed": 3, "alpha": 0.05}
    >>> command(RunCard(
    ...     name="wine", task="classification", reason="", target="cultivar", metric="accuracy",
    ...     seed=3, alpha=0.05, split="", evaluations=Evaluations(1, 1), complete=True,
    ...     winner="", seconds=1.0, versions={}, settings=settings, data=data,
    ... ))
    'gramian fit --example wine --seed 3'
    """
    settings = dict(run.settings)
    if run.data.format == "built in":
        words = ["gramian", "fit", "--example", run.data.name]
        settings.pop("target", None)
    else:
        words = ["gramian", "fit", "DATA"]
    if run.data.sheet is not None:
        words += _option("--sheet", run.data.sheet)
    for name, value in settings.items():
        if value is None or _DEFAULTS.get(name) == value:
            continue
        flag = f"--{FLAGS.get(name, name)}"
        if name == "costs":
            words += [flag, "COSTS.csv"]
        elif isinstance(value, list):
            words += _option(flag, ",".join(map(str, value)))
        elif name == "budget":
            words += [flag, f"{value:g}s"]
        else:
            words += _option(flag, str(value))
    return shlex.join(words)


def _option(flag: str, value: str) -> list[str]:
    """Return a flag with its value; a value that begins with a dash would be read as an option."""
    return [f"{flag}={value}"] if value.startswith("-") else [flag, value]
