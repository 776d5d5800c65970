"""``pytest -p gramian.accelerate`` accelerates a project's tests."""

import subprocess
import sys

import pytest

TEST = """
from sklearn.naive_bayes import GaussianNB

def test_it():
    model = GaussianNB().fit([[0.0], [1.0]], [0, 1])
    assert type(model).__module__.startswith("gramian")
"""


@pytest.mark.slow
def test_tests_run_accelerated_and_the_report_is_shown_on_request(tmp_path):
    (tmp_path / "test_of_a_project.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "gramian.accelerate", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
    assert "GaussianNB.fit" in ended.stdout
