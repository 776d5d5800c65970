"""``python -m gramian.accelerate`` runs scripts and modules as Python does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gramian

SCRIPT = """
import sys
from helper import FOUR
from sklearn.naive_bayes import GaussianNB

model = GaussianNB().fit([[0.0], [1.0]], [0, 1])
print(__name__, sys.argv[1:], FOUR, type(model).__module__)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "helper.py").write_text("FOUR = 4\n")
    return tmp_path


def run(*arguments, cwd=None):
    command = [sys.executable, "-m", "gramian.accelerate", *arguments]
    source = str(Path(gramian.__file__).parents[1])
    found = os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": found}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment)


@pytest.mark.slow
def test_a_script_with_arguments(folder):
    ended = run(str(folder / "script.py"), "--depth", "3")
    assert ended.stdout == "__main__ ['--depth', '3'] 4 gramian.accelerate.estimators\n", (
        ended.stderr
    )


@pytest.mark.slow
def test_a_module_and_the_report(folder):
    ended = run("--report", "-m", "script", cwd=folder)
    assert ended.stdout == "__main__ [] 4 gramian.accelerate.estimators\n", ended.stderr
    assert "GaussianNB.fit" in ended.stderr


@pytest.mark.slow
def test_the_status_matches_the_script(tmp_path):
    (tmp_path / "fails.py").write_text("raise SystemExit(3)")
    assert run(str(tmp_path / "fails.py")).returncode == 3
