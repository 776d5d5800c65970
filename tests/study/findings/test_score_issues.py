"""Scores that are too good are doubted: copies in training, and models nearly without error."""

from types import SimpleNamespace

import pytest

from gramian.study.contents.checks import Issue
from gramian.study.contents.held_out import HeldOutResult, HeldOutScore
from gramian.study.findings.score_issues import issues_of_scores
from gramian.study.problem.leaks import Leaks
from gramian.study.problem.metrics import choose_metric


def issues(
    *, duplicates=0, alone=None, value=0.8, cv=0.8, base=0.5, skills=(), serious="", task=None
):
    task = task or "classification"
    main = choose_metric(task, None)
    plain = "accuracy" if task == "classification" else "r2"
    tested = HeldOutResult(
        rows=50,
        scores={
            plain: HeldOutScore(value, value - 0.1, value + 0.1, "Wilson"),
            "log_loss": HeldOutScore(0.2, 0.1, 0.3, "bootstrap"),
        },
        baseline={plain: base},
        duplicates=duplicates,
        without_duplicates=None,
        without_copies=alone,
    )
    compared = SimpleNamespace(scores={"A": {plain: [cv, cv]}, "baseline": {plain: [base]}})
    bench = SimpleNamespace(main=main, problem=SimpleNamespace(task=task))
    known = [Issue("target-leak", "serious", serious)] if serious else []
    return issues_of_scores(bench, compared, "A", tested, Leaks(known, dict(skills)))


def copied(loss, accuracy):
    return {"duplicates": 9, "alone": {"log_loss": loss, "accuracy": accuracy}}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"duplicates": 1}, []),
        ({"duplicates": 2, "alone": None}, ["duplicate-rows: warning"]),
        (copied(0.25, 0.5), ["duplicate-rows: warning"]),
        (copied(0.9, 0.78), ["duplicate-rows: warning"]),
        (copied(0.9, 0.5), ["duplicate-rows: serious"]),
        ({"cv": 0.98}, []),
        ({"cv": 0.995}, ["nearly-perfect: note"]),
        ({"cv": 0.995, "base": 0.9}, []),
        ({"cv": 0.995, "skills": {"x": 0.95}}, ["nearly-perfect: serious"]),
        ({"cv": 0.995, "skills": {"x": 0.95}, "serious": "'x' leaks"}, ["nearly-perfect: note"]),
        ({"cv": 0.995, "base": -0.1, "task": "regression"}, ["nearly-perfect: note"]),
        ({"cv": 0.95, "base": -0.1, "task": "regression"}, []),
    ],
)  # fmt: skip
def test_each_issue_has_its_threshold(settings, expected):
    assert [f"{issue.code}: {issue.severity}" for issue in issues(**settings)] == expected


def test_the_texts_have_the_numbers():
    (issue,) = issues(duplicates=9, alone={"log_loss": 0.9, "accuracy": 0.5})
    assert issue.text == (
        "9 of 50 test rows also appear in the training data, target included: log_loss is 0.2, "
        "and 0.9 if fitted without them."
    )
    (issue,) = issues(cv=0.995, skills={"x": 0.95, "z": 0.2})
    assert issue.text == (
        "A is nearly perfect on validation rows (99.5% correct), and 'x' alone explains most of it."
    )
