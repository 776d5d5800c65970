"""The command, run inside the process; and as a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import gramian
from gramian.cli.app import run_app

SOURCE = str(Path(gramian.__file__).parents[1])


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def call(capsys: Any, *arguments: str) -> Done:
    """Run ``gramian`` in this process."""
    code = run_app(list(arguments))
    out, err = capsys.readouterr()
    return Done(code, out, err)


def last(text: str) -> str:
    """Return the last line of what a command printed."""
    return text.strip().splitlines()[-1]


def process(*arguments: str, cwd: Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start ``gramian`` as a process."""
    path = os.pathsep.join([SOURCE, *sys.path])
    return subprocess.Popen(
        [sys.executable, "-m", "gramian", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )
