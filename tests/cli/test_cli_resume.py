"""A run that is killed or stopped anywhere goes on to the result of an undisturbed one."""

import json
import random
import signal
import time

import pytest

from tests.cli.command import process

MODELS = "LogisticRegression,GaussianNB,DecisionTreeClassifier,RandomForestClassifier"
FIT = ["fit", "--example", "wine", "--evals", "12", "--models", MODELS]
PATIENCE = 500  # seconds: a busy machine is no failure


def result_of(folder):
    found = json.loads((folder / "result.json").read_text())
    found.pop("times")
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    start = time.monotonic()
    done = process(*FIT, "--out", "run", "--threads", "1", cwd=folder)
    _, err = done.communicate(timeout=PATIENCE)
    assert done.returncode == 0, err
    return result_of(folder / "run"), time.monotonic() - start


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(3))
def test_kill_and_resume(attempt, undisturbed, tmp_path):
    expected, seconds = undisturbed
    rng = random.Random(attempt)
    running = process(*FIT, "--out", "run", "--threads", "2", cwd=tmp_path)
    deadline = time.monotonic() + PATIENCE
    while not (tmp_path / "run" / "run.toml").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(rng.uniform(0, 0.6 * seconds))
    running.send_signal(signal.SIGKILL)
    running.communicate()
    again = process("fit", "--resume", "run", "--threads", "3", cwd=tmp_path)
    _, err = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, err
    assert result_of(tmp_path / "run") == expected
    assert (tmp_path / "run" / "report.html").is_file()


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(undisturbed, tmp_path):
    running = process(*FIT, "--out", "run", cwd=tmp_path)
    journal = tmp_path / "run" / "journal.jsonl"
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE)
    if running.returncode == 0:
        pytest.skip("the run was over before it was stopped")
    assert running.returncode == 1
    assert b"gramian fit --resume run" in err
    assert b"Traceback" not in err
    again = process("fit", "--resume", "run", cwd=tmp_path)
    again.communicate(timeout=PATIENCE)
    assert again.returncode == 0
    assert result_of(tmp_path / "run") == undisturbed[0]
