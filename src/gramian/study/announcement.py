"""Lines to print before the search starts: the table, the task and the issues."""

from collections.abc import Callable

from gramian.data.reading import LoadedTable
from gramian.study.contents.checks import Issue
from gramian.study.problem.problem import LearningProblem

Announce = Callable[[list[str]], None]


def announcement(problem: LearningProblem, source: LoadedTable, plan: str = "") -> list[str]:
    """Return lines on the table, the task, the issues (most serious first) and the plan."""
    shape = f"{problem.rows_given} rows, {len(problem.columns)} columns"
    return [
        f"{source.name}: {shape} ({source.format}).",
        *(f"  {note}" for note in source.notes),
        f"Task: {problem.task}, because {problem.reason}.",
        *map(issue_line, by_severity(problem.issues)),
        *([plan] if plan else []),
    ]


def by_severity(issues: list[Issue]) -> list[Issue]:
    """Return the issues, most serious first."""
    return sorted(issues, key=lambda issue: ("serious", "warning", "note").index(issue.severity))


def issue_line(issue: Issue) -> str:
    """Return an issue as one line.

    Examples
    --------
    >>> issue_line(Issue("few-rows", "warning", "The table has 20 rows.", "Collect more."))
    'warning: The table has 20 rows. Collect more.'
    """
    return f"{issue.severity}: {issue.text} {issue.remedy}".rstrip()
