"""The result is a part of the report."""

import pytest

from gramian.study.contents.result import (
    ClusterResult,
    LabelResult,
    SupervisedResult,
    result_json,
    result_of,
)


def test_the_task_decides_the_kind(every):
    kinds = [type(result_of(contents)) for contents in every]
    assert kinds == [SupervisedResult] * 4 + [ClusterResult, LabelResult]


def test_scores_and_times_are_apart(classes, labelled):
    for contents, rows, times in (
        (classes, "leaderboard", "models"),
        (labelled, "learners", "learners"),
    ):
        found = result_json(contents)
        assert all("fit_seconds" not in row for row in found[rows])
        assert found["times"].pop("seconds") == contents.run.seconds
        assert list(found["times"][times]) == [row["name"] for row in found[rows]]
    assert result_of(classes).times.models["LogisticRegression"].fit_seconds == pytest.approx(
        next(r for r in classes.leaderboard if r.name == "LogisticRegression").fit_seconds
    )


def test_the_rest_matches_the_report(every):
    for contents in every:
        report, result = contents.to_json(), result_json(contents)
        common = (result.keys() & report.keys()) - {"leaderboard", "clusters", "target"}
        assert {"verdict", "checks", "headline"} <= common
        assert {name: result[name] for name in common} == {name: report[name] for name in common}
        for name in result.keys() & report["run"].keys():
            assert result[name] == report["run"][name]
