"""The versions of a bug report are those installed."""

import platform
from importlib.metadata import version

import gramian
from gramian.base import versions


def rows(capsys):
    versions.show_versions()
    lines = capsys.readouterr().out.splitlines()
    return {line[:16].strip(): line[16:].strip() for line in lines}, lines


def test_versions_threads_and_instruction_set_are_shown(capsys):
    gramian.set_num_threads(2)
    shown, lines = rows(capsys)
    assert shown["gramian"] == gramian.__version__
    assert shown["numpy"] == version("numpy")
    assert shown["threads"] == "2"
    assert shown["instruction set"] in {"plain", "v2", "v3"}
    assert len({len(line) - len(line[17:]) for line in lines}) == 1


def test_what_is_not_installed_is_said(capsys, monkeypatch):
    monkeypatch.setattr(versions.installation, "__defaults__", (("no-such-package",),))
    shown, _ = rows(capsys)
    assert shown["no-such-package"] == "not installed"


def test_versions_of_packages_come_with_the_python_version():
    found = versions.versions_of(["numpy", "no-such-package"])
    assert found == {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "no-such-package": "not installed",
    }
