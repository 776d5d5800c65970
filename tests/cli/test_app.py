"""All commands."""

import json
import os
import subprocess
import sys

import pytest

import gramian
from tests.cli.command import SOURCE, call

COMMANDS = ("fit", "compare", "predict", "report", "explain", "export", "models", "doctor")
HEAVY = ("numpy", "scipy", "sklearn", "polars", "narwhals", "gramian._native")
CODE = """
import json, sys
sys.path[:0] = {path!r}
sys.argv = ["gramian", *{arguments!r}]
from gramian.cli import main
try:
    main()
except SystemExit as done:
    sys.stderr.write(json.dumps([done.code, [name for name in {heavy!r} if name in sys.modules]]))
"""


def test_help_is_there(capsys):
    for command in COMMANDS:
        assert call(capsys, command, "--help").code == 0


def test_the_version_is_said(capsys):
    done = call(capsys, "--version")
    assert (done.code, done.out) == (0, f"gramian {gramian.__version__}\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)], ids=" ".join
)
def test_help_and_version_import_nothing_heavy(arguments):
    code = CODE.format(path=[SOURCE, *sys.path], arguments=arguments, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert json.loads(done.stderr) == [0, []]
    assert done.stdout


def test_an_error_of_the_system_names_its_path(finished, here, capsys):
    (here / "a.csv").write_bytes((finished / "shop.csv").read_bytes())
    out = "a" * 300 + ".csv"
    done = call(capsys, "predict", str(finished / "run"), "a.csv", "--out", out)
    assert done.code == 2
    assert out in done.err
    done = call(capsys, "predict", str(finished / "run"), "a.csv", "--out", "none/a.csv")
    assert done.code == 2
    assert "none/a.csv: No such file or directory: create the folder first." in done.err


def test_names_of_files_are_printed_without_control_characters(capsys):
    done = call(capsys, "predict", "no\x1b[31m.gram", "none.csv")
    assert done.code == 2
    assert "no\\x1b[31m.gram" in done.err
    assert "\x1b" not in done.err


def test_a_full_standard_output_is_named(tmp_path):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "gramian", "models"]
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, text=True, check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([SOURCE, *sys.path])},
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("gramian: standard output: No space left on device: free some")
