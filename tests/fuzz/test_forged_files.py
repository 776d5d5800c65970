"""Two thousand tampered model files; `tools/fuzz-models` runs more."""

import subprocess
import sys

import pytest

from tests.fuzz import children, run
from tests.fuzz.child import outcome

FILES = 2000


@pytest.mark.slow
def test_no_tampered_file_does_more_than_answer_wrongly(tmp_path):
    run.write_seeds(tmp_path, first_only=True)
    findings = run.run(tmp_path, 0, FILES)
    assert findings.bad == []
    assert findings.counts.total() == FILES
    assert findings.counts["refused"] > FILES / 10
    assert findings.counts["answered"] > FILES / 10  # most files must get as far as the model


@pytest.mark.parametrize(
    ("death", "came"),
    [
        ("SEGV", "crashed: SIGSEGV"),
        ("ALRM", "hung"),
        ("PROF", "hung"),
        ("FPE", "crashed: SIGFPE"),
    ],
)
def test_a_crashed_child_is_reported_with_its_file(tmp_path, monkeypatch, death, came):
    child = tmp_path / "child"
    child.write_text(f"#!/bin/sh\necho 7 KMeans-0\nkill -{death} $$\n")
    child.chmod(0o700)
    monkeypatch.setattr(children.sys, "executable", str(child))
    findings = run.run(tmp_path, 7, 8)
    assert findings.bad == [f"file 7, of KMeans-0: {came}"]
    assert findings.counts == {came.partition(":")[0]: 1}


@pytest.mark.parametrize(
    "script", ["kill -SEGV $$", "exit 1", "echo 7 KMeans-0; echo refused; exit 3"]
)
def test_a_child_that_dies_outside_a_file_ends_the_run(tmp_path, monkeypatch, script):
    child = tmp_path / "child"
    child.write_text(f"#!/bin/sh\n{script}\n")
    child.chmod(0o700)
    monkeypatch.setattr(children.sys, "executable", str(child))
    with pytest.raises(RuntimeError, match="outside a case"):
        run.run(tmp_path, 7, 8)


def test_memory_beyond_reason_is_a_finding(tmp_path, monkeypatch):
    def too_much(path):
        raise MemoryError

    monkeypatch.setattr(run.gramian, "load", too_much)
    assert outcome(tmp_path, None) == "!load raised MemoryError"


@pytest.mark.parametrize("work", ["while True: pass", "signal.pause()"])
def test_a_case_that_computes_or_waits_too_long_is_ended(work):
    start = (
        "import signal\nfrom tests.fuzz import children\n"
        "children.WAIT = 2\nchildren.limit_time(1)\n"
    )
    done = subprocess.run([sys.executable, "-c", start + work], timeout=60, check=False)
    assert children._death(done.returncode) == "hung"
