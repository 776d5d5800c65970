"""The table: a row per contender, ours first, for a terminal and for a Markdown page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.harness import studies
from benchmarks.harness.quiet import QUIET
from benchmarks.harness.run import from_json
from benchmarks.harness.workload import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.run import Outcome, Result

HEAD = ["workload", "dtype", "contender", "best", "median", "best peer / ours", "quality", "memory"]
HEAD_ALIGN = "lllrrlrr"


def rows(results: Sequence[Result]) -> list[list[str]]:
    """The cells of the table, one row per workload and contender."""
    cells = []
    for result in results:
        for place, outcome in enumerate(result.outcomes):
            title = [result.name, result.dtype] if place == 0 else ["", ""]
            cells.append([*title, outcome.contender, *figures(outcome, result)])
    return cells


def figures(outcome: Outcome, result: Result) -> list[str]:
    """Best, median, verdict, quality and memory of one contender."""
    if outcome.missing:
        return ["missing", "", outcome.missing.split("(")[0].strip(), "", ""]
    if outcome.error:
        return ["failed", "", outcome.error.strip().splitlines()[-1], "", ""]
    return [
        seconds(outcome.best),
        seconds(outcome.median),
        verdict(outcome, result),
        f"{outcome.quality:.9g}",
        f"{outcome.memory / 1e6:.1f} MB",
    ]


def verdict(outcome: Outcome, result: Result) -> str:
    """For ours the ratio and whether the aims are met; for a peer whether it is the best one."""
    if not outcome.agrees:
        return f"does not count: another {result.quality}"
    if outcome.contender != OURS:
        rounds = max(len(o.seconds) for o in result.outcomes)
        notes = ["best peer"] if outcome is result.best_peer else []
        notes += ["one round"] if len(outcome.seconds) == 1 < rounds else []
        return ", ".join(notes)
    if result.ratio is None or result.memory_allowed is None:
        return "no peer to compare"
    speed = "met" if result.ratio >= result.aim else "MISSED"
    if result.busy > QUIET:
        speed = "not judged, disturbed"
    memory = "" if outcome.memory <= result.memory_allowed else "; memory MISSED"
    return f"{result.ratio:.2f}x (aim {result.aim:g}x {speed}{memory})"


def seconds(value: float) -> str:
    """A time with three digits and a suitable unit."""
    if value < 1e-3:
        return f"{value * 1e6:.0f} us"
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def notes(results: Sequence[Result], roof: dict[str, dict[str, float]]) -> list[str]:
    """Notes below the table: fractions of the roof, and reasons for missed aims."""
    lines = []
    if busy := max((result.busy for result in results if result.busy > QUIET), default=0.0):
        lines.append(
            f"Disturbed: other programs used up to {busy:.0%} of the processors. This slows down "
            "OpenMP libraries more than others, so disturbed times and ratios are unreliable."
        )
    for result in results:
        if result.ours is None:
            continue
        if result.flops is not None and roof:
            rate = result.flops / result.ours.best / 1e9
            kind = "sgemm" if result.dtype == "float32" else "dgemm"
            top = max(figures[kind] for figures in roof.values())
            lines.append(
                f"{result.name}, {result.dtype}: as fast as the plain method at "
                f"{rate:.0f} GFLOP/s, {rate / top:.0%} of {kind}."
            )
        if result.ratio is not None and result.ratio < result.aim and result.busy <= QUIET:
            why = f": {result.why}" if result.why else ""
            lines.append(f"{result.name}, {result.dtype}: aim missed{why}.")
    return lines


def heading(record: dict[str, Any]) -> list[str]:
    """Date, machine, versions and roof in a few lines."""
    machine, roof = record["machine"], record["roof"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    described = (
        f"{machine['date']}; {machine['processor']}, {machine['cores']} cores, "
        f"{machine['memory_gb']} GB, {machine['system']}; {machine['threads']} threads; "
        f"Python {machine['python']}; {versions}."
    )
    lines = [described]
    for threads, figures in roof.items():
        lines.append(
            f"Peak with {threads}: sgemm {figures['sgemm']:g} GFLOP/s, "
            f"dgemm {figures['dgemm']:g} GFLOP/s, streaming add {figures['stream']:g} GB/s."
        )
    return lines


def text(results: Sequence[Result]) -> str:
    """The table for a terminal."""
    cells = [HEAD, *rows(results)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEAD))]
    lines = [line(row, widths) for row in cells]
    lines.insert(1, "-" * len(lines[0]))
    return "\n".join(lines)


def line(row: Sequence[str], widths: Sequence[int]) -> str:
    """One row, its cells padded to the widths."""
    pad = {"l": str.ljust, "r": str.rjust}
    padded = [pad[a](c, w) for a, c, w in zip(HEAD_ALIGN, row, widths, strict=True)]
    return "  ".join(padded).rstrip()


def markdown(record: dict[str, Any], studied: dict[str, Any] | None = None) -> str:
    """The page docs/benchmarks.md: the workloads and, if there are any, whole studies."""
    results = [from_json(result) for result in record["results"]]
    below = [f"- {note}" for note in notes(results, record["roof"])]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Written by `python -m benchmarks --json docs/benchmarks.json` with `--markdown`.",
            "",
            RULES,
            "",
            *heading(record),
            "",
            *bars_between(HEAD, HEAD_ALIGN, rows(results)),
            "",
            *below,
            "",
            *([] if studied is None else study_section(studied)),
        ]
    )


def study_section(studied: dict[str, Any]) -> list[str]:
    """The section on whole studies, see `benchmarks.tables_study`."""
    return [
        f"## {studies.TITLE}",
        "",
        "Written by `python -m benchmarks.tables_study --json docs/tables.json`.",
        "",
        studies.RULES,
        "",
        studies.summary(studied),
        "",
        *bars_between(studies.HEAD, studies.ALIGN, studies.rows(studied)),
        "",
        *(f"- {note}" for note in studies.notes(studied)),
        "",
    ]


def bars_between(head: list[str], align: str, cells: list[list[str]]) -> list[str]:
    """Return a Markdown table."""
    ends = ["---:" if a == "r" else "---" for a in align]
    return ["| " + " | ".join(row) + " |" for row in [head, ends, *cells]]


RULES = """\
Every library runs in a fresh process with the same number of threads. The libraries take turns,
round by round; `best` and `median` are over the rounds, after a warm-up on a small data set. A time
counts only if the result agrees with scikit-learn's, checked by the same code for all libraries.
`memory` is the peak resident memory above the level after import, data and warm-up. gramian is
faster if `best peer / ours` is above 1. The aim is the ratio that we want to reach."""
