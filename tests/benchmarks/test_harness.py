"""The harness judges before it times, and says what is missing or wrong."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # benchmarks/ belongs to the checkout, not to the package

from benchmarks.harness import judges, studies, table  # noqa: E402
from benchmarks.harness.run import Outcome, Result, as_json, from_json, judge, run  # noqa: E402
from benchmarks.harness.workload import Quality, Workload, families, workloads_of  # noqa: E402

RNG = np.random.default_rng(0)


def test_inertia_is_the_sum_of_squares_to_the_nearest_centre():
    X, C = RNG.normal(size=(500, 3)) + 100, RNG.normal(size=(7, 3)) + 100
    squares = ((X[:, None] - C) ** 2).sum(axis=2)
    assert_allclose(judges.inertia(C, X), squares.min(axis=1).sum(), rtol=1e-12)


def test_sum_of_distances_is_taken_from_the_indices():
    X, Q = RNG.normal(size=(50, 4)), RNG.normal(size=(20, 4))
    distances = np.linalg.norm(Q[:, None] - X, axis=2)
    nearest = np.argsort(distances, axis=1)[:, :3]
    expected = np.sort(distances, axis=1)[:, :3].sum()
    assert_allclose(judges.sum_of_distances(nearest, X, Q), expected)


@pytest.mark.parametrize("bad", [[[1, 1]], [[-1, 0]], [[0, 3]]])
def test_an_index_given_twice_or_out_of_range_is_no_answer(bad):
    assert np.isnan(judges.sum_of_distances(bad, np.zeros((3, 2)), np.zeros((1, 2))))


def test_in_a_self_join_a_point_is_not_its_own_neighbour():
    X = np.eye(3)
    assert np.isnan(judges.sum_of_distances([[0], [0], [1]], X, None))
    assert judges.sum_of_distances([[1], [0], [1]], X, None) == pytest.approx(3 * np.sqrt(2))


@pytest.mark.parametrize(
    ("better", "value", "accepted"),
    [
        ("lower", 0.5, True), ("lower", 1.05, True), ("lower", 1.2, False),
        ("higher", 1.5, True), ("higher", 0.95, True), ("higher", 0.8, False),
        ("neither", 0.95, True), ("neither", 0.8, False), ("neither", 1.2, False),
        ("lower", float("nan"), False), ("lower", float("-inf"), False),
    ],
)  # fmt: skip
def test_quality_is_judged_in_its_direction(better, value, accepted):
    quality = Quality("q", lambda *_: 0.0, better=better, agree=0.1)
    assert quality.accepts(value, 1.0) is accepted


def workload() -> Workload:
    quality = Quality("inertia", judges.inertia, better="lower", agree=1e-3)
    return Workload("w", "float32", data=tuple, contenders={}, quality=quality, aim=2.0)


def result(outcomes: list[Outcome], busy: float = 0.0) -> Result:
    judge(workload(), outcomes)
    return Result(
        family="f",
        name="w",
        dtype="float32",
        quality="inertia",
        aim=2.0,
        why="because",
        flops=None,
        copy=4_000_000,
        busy=busy,
        outcomes=outcomes,
    )


def outcome(name: str, seconds: list[float], quality: float, memory: int = 0) -> Outcome:
    return Outcome(name, seconds=seconds, quality=quality, memory=memory)


def test_the_ratio_is_to_the_best_peer_whose_answer_agrees():
    measured = result(
        [
            outcome("gramian", [0.5, 0.4], 100.0),
            outcome("scikit-learn", [2.0, 1.0], 100.0),
            outcome("faiss", [0.1], 200.0),
        ]
    )
    assert measured.best_peer.contender == "scikit-learn"
    assert measured.ratio == pytest.approx(1.0 / 0.4)
    ours, _, wrong = table.rows([measured])
    assert "2.50x (aim 2x met)" in ours
    assert "does not count: another inertia" in wrong


def test_ours_with_another_setting_is_no_peer():
    measured = result(
        [
            outcome("gramian", [0.4], 100.0),
            outcome("gramian, 256 bins", [0.2], 100.0),
            outcome("scikit-learn", [1.0], 100.0),
        ]
    )
    assert measured.best_peer.contender == "scikit-learn"


def test_a_slow_peer_timed_once_is_said():
    measured = result(
        [outcome("gramian", [0.5, 0.4], 100.0), outcome("scikit-learn", [2.0], 100.0)]
    )
    assert table.rows([measured])[1][5] == "best peer, one round"


def test_a_fast_wrong_answer_of_ours_is_no_result():
    measured = result([outcome("gramian", [0.1], 150.0), outcome("scikit-learn", [1.0], 100.0)])
    assert measured.ratio is None
    assert "does not count: another inertia" in table.rows([measured])[0]


def test_a_missed_aim_is_said_with_its_reason():
    measured = result(
        [outcome("gramian", [0.9], 100.0, memory=9_000_000), outcome("scikit-learn", [1.0], 100.0)]
    )
    assert "1.11x (aim 2x MISSED; memory MISSED)" in table.rows([measured])[0]
    assert table.notes([measured], {}) == ["w, float32: aim missed: because."]


def test_a_disturbed_measurement_claims_nothing():
    outcomes = [outcome("gramian", [0.1], 100.0), outcome("scikit-learn", [1.0], 100.0)]
    measured = result(outcomes, busy=0.5)
    assert "10.00x (aim 2x not judged, disturbed)" in table.rows([measured])[0]
    (line,) = table.notes([measured], {})
    assert "other programs used up to 50% of the processors" in line


def test_what_is_missing_or_failed_is_said():
    measured = result(
        [
            Outcome("gramian", missing="No module named 'gramian'"),
            Outcome("scikit-learn", error="Traceback\nValueError: no"),
        ]
    )
    ours, theirs = table.rows([measured])
    assert ours[3] == "missing"
    assert "No module named 'gramian'" in ours
    assert theirs[3] == "failed"
    assert "ValueError: no" in theirs


def test_a_result_survives_json():
    measured = result([outcome("gramian", [0.5], 1.0), outcome("scikit-learn", [1.0], 1.0)])
    assert from_json(json.loads(json.dumps(as_json(measured)))) == measured


@pytest.mark.slow
def test_every_workload_has_ours_the_reference_and_data():
    for family in families():
        for entry in workloads_of(family):
            assert next(iter(entry.contenders)) == "gramian"
            # another peer or NumPy where scikit-learn has no such method
            references = {"scikit-learn", "scikit-image", "NumPy", "Newton in NumPy"}
            references |= {"scikit-multilearn", "plain BinaryRelevance", "torch"}
            references |= {"genieclust", "fastcluster, linkage_vector", "kmedoids"}
            assert len(entry.contenders) == 1 or references & set(entry.contenders)
            assert entry.data(n=200)[0].shape[0] <= 200


@pytest.mark.slow
def test_a_contender_runs_in_its_own_process():
    entry = workloads_of("small")[0]
    measured = run("small", 0, entry, rounds=2, contenders=["scikit-learn"])
    (theirs,) = measured.outcomes
    assert len(theirs.seconds) == 2
    assert theirs.agrees
    assert theirs.memory >= 0
    assert 0.5 < theirs.quality <= 1


def test_the_page_is_made_from_the_record():
    stored = ROOT / "docs" / "benchmarks.json"
    if not stored.exists():
        pytest.skip("no measurement is stored: python -m benchmarks --json docs/benchmarks.json")
    studied = ROOT / "docs" / "tables.json"
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    assert page == table.markdown(
        json.loads(stored.read_text()),
        json.loads(studied.read_text()) if studied.exists() else None,
    )


def test_a_study_is_good_if_its_task_is_right_and_its_score_not_below_the_better_peer_less_error():
    line = {
        "table": "t.csv", "rows": 100, "columns": 4, "task": "classification", "right_task": True,
        "test_rows": 20, "evaluations": 96, "winner": "Ridge", "ours": 0.85, "boosting": 0.9,
        "linear": 0.7, "standard_error": 0.05, "processor_seconds": 12.3,
    }  # fmt: skip
    assert studies.is_good(line)
    assert not studies.is_good({**line, "ours": 0.8499})
    assert not studies.is_good({**line, "right_task": False})
    assert len(studies.cells(line)) == len(studies.HEAD) == len(studies.ALIGN)
    described = {"date": "d", "processor": "p", "cores": 2, "python": "3", "versions": {}}
    described["versions"] = {"scikit-learn": "1.9"}
    record = {"machine": described, "seed": 7, "tables": [line, {**line, "ours": 0.1}]}
    text = "\n".join(table.study_section(record))
    assert "The result is good on 1 of 2 tables" in text
    assert "- t.csv: 0.7500 below this limit, on 20 test rows." in text
    assert "| 0.8500 | 0.9000 | 0.7000 | 0.0500 | yes | 12 |" in text
