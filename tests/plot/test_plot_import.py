"""matplotlib is a guest: imported when a figure is asked for, and missed politely."""

import subprocess
import sys

import pytest


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_importing_the_figures_does_not_import_matplotlib():
    assert python("import sys, gramian.plot; print('matplotlib' in sys.modules)") == "False"


def test_without_matplotlib_the_error_says_what_to_install():
    code = """
import sys
sys.modules["matplotlib"] = None
from gramian.textbook.figures import plot_objectives
try:
    plot_objectives([1.0])
except ImportError as error:
    print(error)
"""
    assert 'pip install "gramian[plot]"' in python(code)
