"""All commands."""

from tests.cli.command import call


def test_help_is_there(capsys):
    for command in ("fit", "compare", "predict", "report", "explain", "export", "models", "doctor"):
        assert call(capsys, command, "--help").code == 0
