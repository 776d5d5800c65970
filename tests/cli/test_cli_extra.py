"""Without the extra the command says how to install it."""

import subprocess
import sys

from tests.cli.command import SOURCE

CODE = """
import sys
sys.path.insert(0, {source!r})
sys.modules["typer"] = None
from gramian.cli import main
main()
"""


def test_a_missing_extra_is_one_line_and_exit_code_2():
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(source=SOURCE)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == (
        'gramian: typer is needed here; install it with: pip install "gramian[app]"\n'
    )
