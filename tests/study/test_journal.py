"""The journal keeps what was finished, however the run ended."""

import json
import os
import resource

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.study import Journal
from gramian.study.run_folder import write_whole


def test_a_value_is_computed_once(tmp_path):
    calls = []
    for _ in range(2):
        with Journal(tmp_path) as journal:
            for _ in range(2):
                assert journal.once("a", lambda: calls.append(1) or {"x": 0.1 + 0.2}) == {
                    "x": 0.30000000000000004
                }
    assert len(calls) == 1


def test_values_are_what_a_later_run_reads(tmp_path):
    with Journal(tmp_path) as journal:
        now = journal.once("a", lambda: {"pair": (1, 2.5), "nan": float("nan")})
    with Journal(tmp_path) as journal:
        later = journal.once("a", lambda: None)
    assert now["pair"] == later["pair"] == [1, 2.5]
    assert np.isnan(now["nan"])
    assert np.isnan(later["nan"])


@pytest.mark.parametrize("lost", range(1, 40, 3))
def test_a_line_cut_short_is_dropped_and_written_again(tmp_path, lost):
    with Journal(tmp_path) as journal:
        journal.once("a", lambda: 1)
        journal.once("b", lambda: {"some": "value"})
    path = tmp_path / "journal.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: max(0, len(whole) - lost)])
    with Journal(tmp_path) as journal:
        assert journal.once("a", lambda: 1) == 1
        assert journal.once("b", lambda: {"some": "value"}) == {"some": "value"}
    assert path.read_bytes() == whole
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "b"]


def test_arrays_are_kept_beside_the_value(tmp_path):
    with Journal(tmp_path) as journal:
        journal.once_with_arrays("fold/1", lambda: (3, {"x": np.arange(3)}))
    with Journal(tmp_path) as journal:
        assert "fold/1" in journal
        np.testing.assert_array_equal(journal.arrays("fold/1")["x"], [0, 1, 2])
        (tmp_path / "arrays" / "fold-1.npz").unlink()
        with pytest.raises(DataError, match="cannot be read"):
            journal.arrays("fold/1")


def test_two_runs_never_write_one_journal(tmp_path):
    with Journal(tmp_path) as first:
        first.once("a", lambda: 1)
        with pytest.raises(DataError, match="another run is writing to this folder"):
            Journal(tmp_path)
        first.once("b", lambda: 2)
    with Journal(tmp_path) as later:
        assert later.values() == [1, 2]


@pytest.mark.parametrize(
    "write",
    [
        lambda folder, journal: journal.once_with_arrays("a", lambda: (1, {"x": np.arange(9e3)})),
        lambda folder, journal: write_whole(folder / "report.html", "x" * 90_000),
    ],
    ids=["arrays", "text"],
)
def test_a_full_disk_leaves_nothing_half_written(tmp_path, write):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(tmp_path) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
        try:
            with pytest.raises(OSError, match="too large"):
                write(tmp_path, journal)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    left = {p.name for p in tmp_path.rglob("*") if p.is_file()}
    assert left == {"journal.jsonl"}


@pytest.mark.parametrize("kind", ["link", "second name", "pipe"])
def test_a_journal_is_never_written_through_a_link(tmp_path, kind):
    run, victim = tmp_path / "run", tmp_path / "victim"
    run.mkdir()
    victim.write_bytes(b"not a journal\n")
    path = run / "journal.jsonl"
    {
        "link": lambda: path.symlink_to(victim),
        "second name": lambda: path.hardlink_to(victim),
        "pipe": lambda: os.mkfifo(path),
    }[kind]()
    with pytest.raises(DataError, match="regular file of its own"):
        Journal(run)
    assert victim.read_bytes() == b"not a journal\n"


def test_arrays_are_neither_written_nor_read_through_links(tmp_path):
    run, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    run.mkdir()
    elsewhere.mkdir()
    (run / "arrays").symlink_to(elsewhere)
    with Journal(run) as journal, pytest.raises(DataError, match="not a link"):
        journal.once_with_arrays("a", lambda: (1, {"x": np.zeros(2)}))
    assert list(elsewhere.iterdir()) == []
    (run / "arrays").unlink()
    with Journal(run) as journal:
        journal.once_with_arrays("a", lambda: (1, {"x": np.zeros(2)}))
        for damaged in (b"PK\x03\x04", b""):
            (run / "arrays" / "a.npz").write_bytes(damaged)
            with pytest.raises(DataError, match="cannot be read"):
                journal.arrays("a")
        (run / "arrays" / "a.npz").unlink()
        (run / "arrays" / "a.npz").symlink_to("/dev/zero")
        with pytest.raises(DataError, match="regular file of its own"):
            journal.arrays("a")


def test_lines_nested_too_deep_are_dropped(tmp_path):
    (tmp_path / "journal.jsonl").write_text('{"key": "a", "value": ' + "[" * 100_000 + "\n")
    with Journal(tmp_path) as journal:
        assert "a" not in journal
