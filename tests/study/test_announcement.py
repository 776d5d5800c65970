"""What is known of the data is said before the search begins."""

from gramian import study
from gramian.study.announcement import by_severity, issue_line
from gramian.study.contents.checks import Issue
from tests.study.tables import QUICK, mixed


def test_data_notes_come_before_the_first_step():
    events = []
    found = study.run(
        mixed(),
        "bought",
        announce=lambda lines: events.append(lines),
        watch=lambda step: events.append(step.stage),
        **QUICK,
    )
    lines, *steps = events
    assert steps[0] == "tune"
    assert lines[0] == "table: 120 rows, 6 columns (frame)."
    assert lines[1] == "Task: classification, because the target is categorical with 2 classes."
    assert "note: Constant columns are left out: 'country'." in lines
    assert lines[-1] == "Trying 4 settings of 2 models, scored by log_loss."
    data_checks = [c for c in found.result["checks"] if c["code"].endswith("-columns")]
    assert len(data_checks) == 2
    assert all(issue_line(Issue(**check)) in lines for check in data_checks)


def test_clusters_are_announced_too():
    lines = []
    study.run(mixed().drop("bought"), task="clustering", announce=lines.extend)
    assert lines[1] == "Task: clustering, because it was specified."


def test_the_most_serious_comes_first():
    issues = [Issue("a", "note", "A."), Issue("b", "serious", "B."), Issue("c", "warning", "C.")]
    assert [issue.code for issue in by_severity(issues)] == ["b", "c", "a"]
