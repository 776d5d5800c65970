"""``gramian doctor`` reports what is installed and what fails."""

import json

from gramian.cli import doctor
from tests.cli.command import call


def test_versions_and_checks_are_lines(capsys):
    done = call(capsys, "doctor")
    assert done.code == 0
    lines = dict(line.split("  ", 1) for line in done.out.splitlines())
    assert {name.strip() for name in lines} >= {"gramian", "python", "numpy", "threads", "tables"}
    assert sum(text.strip() == "works" for text in lines.values()) == 3


def test_a_check_that_fails_is_reported_and_is_the_exit_code(capsys, monkeypatch):
    def broken():
        raise OSError("no room")

    monkeypatch.setitem(doctor._TRIALS, "tables", broken)
    done = call(capsys, "doctor", "--json")
    assert done.code == 1
    checks = json.loads(done.out)["checks"]
    assert checks.pop("tables") == "fails: OSError: no room"
    assert set(checks.values()) == {"works"}


def test_what_is_not_installed_is_said(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "_PACKAGES", ("no-such-package",))
    facts = json.loads(call(capsys, "doctor", "--json").out)["facts"]
    assert facts["no-such-package"] == "not installed"
