"""A study from table to tested model: right, the same again, and resumable."""

import json

import pytest

import gramian
from gramian import study
from tests.study.tables import QUICK, mixed


def without_times(found):
    return {k: v for k, v in found.result.items() if k != "times"}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_result_for_any_threads_and_another_seed_another():
    found = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        found.append(without_times(study.run(mixed(), "bought", **QUICK)))
    assert found[0] == found[1] == found[2]
    assert without_times(study.run(mixed(), "bought", seed=1, **QUICK)) != found[0]


@pytest.mark.slow
def test_more_evaluations_only_add_to_fewer(tmp_path):
    folders = [tmp_path / "few", tmp_path / "many"]
    for folder, evals in zip(folders, (4, 8), strict=True):
        folder.mkdir()
        study.run(mixed(), "bought", folder=folder, **{**QUICK, "evals": evals})
    texts = [(folder / "journal.jsonl").read_text() for folder in folders]
    few, many = ([json.loads(line) for line in text.splitlines()] for text in texts)
    assert [(r["key"], r["value"]["scores"]) for r in few[:4]] == [
        (r["key"], r["value"]["scores"]) for r in many[:4]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kept", [0, 1, 5, 9, 20, 10_000])
def test_a_run_cut_anywhere_goes_on_to_the_same_result(classified, tmp_path, kept):
    study.run(mixed(), "bought", folder=tmp_path, **QUICK)
    path = tmp_path / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:kept]) + b'{"key": "tune')
    again = study.run(mixed(), "bought", folder=tmp_path, **QUICK)
    assert without_times(again) == without_times(classified)


@pytest.mark.slow
def test_pandas_works_too(classified):
    pytest.importorskip("pandas")
    found = study.run(mixed().to_pandas(), "bought", **QUICK)
    assert found.result["leaderboard"] == classified.result["leaderboard"]
