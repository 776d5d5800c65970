"""The section of docs/benchmarks.md on whole studies, from the figures of `tables_study`."""

from __future__ import annotations

from typing import Any

HEAD = [
    "table", "rows", "columns", "task", "evaluations", "winner", "test rows", "ours", "boosting",
    "linear", "standard error", "good", "processor seconds",
]  # fmt: skip
ALIGN = "lrrlrlrrrrrlr"
TITLE = "Complete studies compared with two common models"
RULES = """\
We ran `gramian fit` with only a seed on every available table that has one target. `ours` is the
score of the chosen model on the test rows (accuracy, or R squared), which were not used for any
choice. `boosting` and `linear` are scikit-learn's HistGradientBoosting and LogisticRegression (or
Ridge) with default settings and proper encoding, fitted to and tested on the same rows. A result is
good if the task was detected correctly and `ours` is at most one standard error below the better of
the two. Processor seconds are those of the whole study, summed over all threads."""


def is_good(line: dict[str, Any]) -> bool:
    """Whether the task is right and the score not clearly below the better peer's."""
    return bool(line["right_task"] and line["ours"] >= least(line) - 1e-12)


def least(line: dict[str, Any]) -> float:
    """The score from which a line is good."""
    return float(max(line["boosting"], line["linear"]) - line["standard_error"])


def notes(record: dict[str, Any]) -> list[str]:
    """What is missing to each line that is not good."""
    return [
        f"{line['table']}: {least(line) - line['ours']:.4f} below this limit, on "
        f"{line['test_rows']} test rows."
        if line["right_task"]
        else f"{line['table']}: wrong task ({line['task']})."
        for line in record["tables"]
        if not is_good(line)
    ]


def cells(line: dict[str, Any]) -> list[str]:
    """One row of the table."""
    scores = ("ours", "boosting", "linear", "standard_error")
    return [
        line["table"],
        str(line["rows"]),
        str(line["columns"]),
        line["task"],
        str(line["evaluations"]),
        line["winner"],
        str(line["test_rows"]),
        *(f"{line[name]:.4f}" for name in scores),
        "yes" if is_good(line) else "NO",
        f"{line['processor_seconds']:.0f}",
    ]


def rows(record: dict[str, Any]) -> list[list[str]]:
    """The cells of the table, one row per study."""
    return [cells(line) for line in record["tables"]]


def summary(record: dict[str, Any]) -> str:
    """How many lines are good, and where and how they were measured."""
    machine, lines = record["machine"], record["tables"]
    good = sum(map(is_good, lines))
    return (
        f"The result is good on {good} of {len(lines)} tables. "
        f"{machine['date']}; {machine['processor']}, "
        f"{machine['cores']} cores; seed {record['seed']}; Python {machine['python']}, "
        f"scikit-learn {machine['versions']['scikit-learn']}."
    )
