"""A finished run that the tests of the other commands use."""

import pytest

pytest.importorskip("typer", reason="the command needs the extra app")

from gramian.cli.app import run_app
from tests.study.tables import mixed


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A folder with a table and the run directory made from it."""
    folder = tmp_path_factory.mktemp("finished")
    mixed().write_csv(folder / "shop.csv")
    arguments = ["fit", str(folder / "shop.csv"), "-t", "bought", "--evals", "3"]
    assert run_app([*arguments, "--out", str(folder / "run")]) == 0
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder that is the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
