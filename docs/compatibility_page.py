"""How scikit-learn's own tests fare under acceleration, and the scripts of its users."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from fnmatch import fnmatchcase
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from rst import table, title

if TYPE_CHECKING:
    from pathlib import Path

INTRODUCTION = """\
scikit-learn's wheel contains its tests. We run them unchanged, first without acceleration and then
with ``pytest -p gramian.accelerate``. The table shows how many tests pass without acceleration, and
how many of these also pass with it. Some of the tests are for classes that only scikit-learn has.

``tools/compatibility`` runs the tests and records the results for this page. Every failure must
have a reason in ``docs/compatibility.toml``; continuous integration checks a sample."""


def page(record_file: Path, reasons_file: Path) -> str:
    """The tables of tests by file, and the remaining failures by reason."""
    lines = [title("scikit-learn's own tests"), INTRODUCTION, ""]
    if record_file.exists():
        record = json.loads(record_file.read_text())
        lines += tests(record)
        lines += failures(record, tomllib.loads(reasons_file.read_text())["reasons"])
    return "\n".join(lines)


def short(module: str) -> str:
    """Return `neighbors.kde` for `sklearn.neighbors.tests.test_kde`."""
    return module.removeprefix("sklearn.").replace("tests.test_", "")


def tests(record: dict[str, Any]) -> list[str]:
    """Passing tests before and after, by file."""
    files = record["files"]
    before = sum(result["passing"] for result in files.values())
    lost = sum(len(result["lost"]) for result in files.values())
    sentence = (
        f"scikit-learn {record['scikit-learn']}: {before:,} tests pass without acceleration; "
        f"{before - lost:,} of them pass with it ({1 - lost / before:.1%})."
    )
    rows = [
        [
            f"`{short(module)}`",
            f"{result['passing']}",
            f"{result['passing'] - len(result['lost'])}",
            f"{1 - len(result['lost']) / max(result['passing'], 1):.1%}",
        ]
        for module, result in files.items()
    ]
    head = ["tests of", "pass without", "pass with", "proportion"]
    return [sentence, "", table(head, rows, widths="40 20 20 20")]


def failures(record: dict[str, Any], reasons: list[dict[str, Any]]) -> list[str]:
    """The tests that fail with acceleration only, by the group of their reasons."""
    groups: dict[str, list[list[str]]] = defaultdict(list)
    for module, result in record["files"].items():
        by_reason: dict[tuple[str, str], set[str]] = defaultdict(set)
        for test in result["lost"]:
            named = f"{short(module)}::{test}"
            reason = next(
                (r for r in reasons if any(fnmatchcase(named, t) for t in r["tests"])),
                {"group": "Not examined yet", "reason": ""},
            )
            by_reason[reason["group"], reason["reason"]].add(test.partition("[")[0])
        for (group, why), named_tests in by_reason.items():
            listed = ", ".join(f"`{test}`" for test in sorted(named_tests))
            groups[group].append([f"`{short(module)}`", listed, why])
    lines = [title("What fails, and why", "-")]
    for group in sorted(groups):
        lines.append(title(group, "~"))
        lines.append(table(["file", "tests", "why"], groups[group], widths="20 40 40"))
    return lines


def scripts(record: dict[str, Any]) -> str:
    """Seconds and scores of the scripts, for the page of the guide that includes them."""
    wall = all("seconds" in result for result in record["results"])
    clock = "seconds" if wall else "processor"
    rows = []
    for result in sorted(record["results"], key=lambda r: -r[clock][0] / r[clock][1]):
        (plain, ours), (before, after) = result[clock], result["score"]
        rows.append(
            [
                result["what"].rstrip("."),
                f"{plain:.1f}",
                f"{ours:.1f}",
                f"{plain / ours:.1f}",
                f"{before:.4f}",
                f"{after:.4f}",
                by_seed(result.get("seeds")),
            ]
        )
    head = ["script", "seconds", "accelerated", "ratio", "score", "accelerated", "by seed"]
    counted = "; seconds" if wall else ", both with one thread; seconds of the processor"
    words = (
        "``benchmarks/user_scripts`` contains ten scripts like those that users write. We run them "
        "unchanged, with ``python script.py`` and with ``python -m gramian.accelerate script.py``"
        f"{counted} are those of the whole process, including imports, in the best round. "
        f"{record['machine']['processor']}, {record['machine']['cores']} cores, "
        f"scikit-learn {record['machine']['versions']['scikit-learn']}, "
        f"{record['machine']['date']}. If the scores differ, the last column shows how much "
        "acceleration changes the score (mean ± standard deviation over seeds of data and models), "
        "and how much the seed does."
    )
    return "\n".join([words, "", table(head, rows, widths="36 10 12 8 10 12 24")])


def by_seed(pairs: list[list[float]] | None) -> str:
    """How the score of a script differs when accelerated, and how it differs among seeds."""
    if not pairs:
        return ""
    changes = [ours - plain for plain, ours in pairs]
    spread = stdev(plain for plain, _ in pairs)
    return f"{mean(changes):+.4f} ± {stdev(changes):.4f}; seeds ± {spread:.4f}"
