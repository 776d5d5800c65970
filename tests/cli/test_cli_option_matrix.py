"""Every option of ``gramian fit`` on every path: it has an effect, or it is refused by name."""

import json
import shutil
import webbrowser

import numpy as np
import polars as pl
import pytest
import typer

import gramian
from gramian.base.errors import ParameterError
from gramian.cli import large
from gramian.cli.app import app, run_app
from tests.cli.command import call

QUICK = ("--models", "GaussianNB", "--evals", "1")
PATHS = {
    "frame": ("t.csv", "--target", "y", *QUICK),
    "chunks": ("t.csv", "--target", "y", "--chunks", *QUICK),
    "example": ("--example", "iris", *QUICK),
    "resume": ("--resume", "done"),
    "labels": ("t.csv", "--target", "on,off", "--models", "BinaryRelevance,MLkNN"),
    "clustering": ("t.csv", "--task", "clustering"),
}
OPTIONS = {
    "data": ("t.csv",),
    "target": ("--target", "n", "--models", "LinearRegression"),
    "labels": ("--labels", "labels.xml"),
    "example": ("--example", "wine"),
    "sheet": ("--sheet", "first"),
    "out": ("--out", "elsewhere"),
    "resume": ("--resume", "done"),
    "task": ("--task", "classification"),
    "metric": ("--metric", "f1_macro"),
    "models": ("--models", "LinearDiscriminantAnalysis"),
    "evals": ("--evals", "2"),
    "budget": ("--budget", "0.0001s"),
    "seed": ("--seed", "7"),
    "alpha": ("--alpha", "0.3"),
    "test": ("--test", "0.4"),
    "drop": ("--drop", "a"),
    "categorical": ("--categorical", "code"),
    "groups": ("--groups", "code"),
    "time": ("--time", "day"),
    "weights": ("--weights", "w"),
    "costs": ("--costs", "costs.csv"),
    "reject": ("--reject", "0.1"),
    "memory": ("--memory", "30KB"),
    "chunks": ("--chunks",),
    "dask": ("--no-chunks", "--dask", "tcp://nowhere:1"),
    "threads": ("--threads", "1"),
    "open_report": ("--open",),
    "json": ("--json",),
}
# What a path needs in place of the value above.
INSTEAD = {
    ("frame", "budget"): ("--evals", "5", "--budget", "0.0001s"),
    ("chunks", "budget"): ("--evals", "5", "--budget", "0.0001s"),
    ("chunks", "dask"): ("--dask", "tcp://nowhere:1"),
    ("example", "budget"): ("--evals", "5", "--budget", "0.0001s"),
    ("example", "target"): ("--target", "petal width (cm)", "--models", "Ridge"),
    ("example", "drop"): ("--drop", "petal width (cm)"),
    ("example", "categorical"): ("--categorical", "petal width (cm)"),
    ("example", "groups"): ("--groups", "petal width (cm)"),
    ("example", "time"): ("--time", "sepal width (cm)"),
    ("example", "weights"): ("--weights", "petal width (cm)"),
    ("example", "costs"): ("--costs", "three.csv"),
    ("labels", "models"): ("--models", "MLkNN"),
    ("clustering", "target"): ("--target", "y"),
}
# What makes the path what it is; `--chunks` turns the first path into the second.
ITSELF = {
    "frame": {"data", "chunks"},
    "chunks": {"data", "chunks"},
    "example": {"example"},
    "resume": {"resume"},
    "labels": {"data", "target"},
    "clustering": {"data", "task"},
}
BESIDE = {"example", "labels", "resume", "sheet"}  # they name another table, target or run
REFUSED = {
    "frame": BESIDE,
    "chunks": BESIDE,
    "example": {"data", "chunks", *BESIDE},
    "resume": set(OPTIONS) - {"threads", "open_report", "json"},
    "labels": BESIDE
    | {"task", "evals", "groups", "time", "weights", "costs", "reject", "chunks", "dask"},
    "clustering": BESIDE
    | {"target", "metric", "models", "evals", "alpha", "test", "groups", "time", "weights"}
    | {"costs", "reject", "chunks", "dask"},
}
CELLS = [(path, name) for path in PATHS for name in OPTIONS if name not in ITSELF[path]]
# Words of the error; otherwise the flag.
WORDS = {"data": "table", "open_report": "--open", "labels": "labels", "chunks": "chunks"}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder with a table, files of costs and labels, and a finished run."""
    folder = tmp_path_factory.mktemp("matrix")
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 90))
    frame = pl.DataFrame(
        {
            "a": a,
            "b": b,
            "code": np.arange(90) % 9,
            "day": rng.permutation(90) / 7,
            "w": rng.uniform(0.1, 3.0, 90),
            "n": a + b + 0.5 * rng.normal(size=90),
            "y": np.where(a + rng.normal(size=90) > 0, "yes", "no"),
            "on": (a > 0).astype(int),
            "off": (b > 0.5).astype(int),
        }
    )
    frame.write_csv(folder / "t.csv")
    (folder / "costs.csv").write_text("0,1\n5,0\n")
    (folder / "three.csv").write_text("0,1,1\n5,0,1\n5,1,0\n")
    (folder / "labels.xml").write_text('<labels><label name="on"/><label name="off"/></labels>')
    table = str(folder / "t.csv")
    assert run_app(["fit", table, "-t", "y", *QUICK, "--out", str(folder / "done")]) == 0
    return folder


@pytest.fixture
def here(prepared, tmp_path, monkeypatch):
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def plain():
    """Outcomes without any further option, by path."""
    return {}


def arguments(path, name):
    return ["fit", *PATHS[path], *INSTEAD.get((path, name), OPTIONS[name])]


def without_times(found):
    """Leave out the seconds, and where the files are."""
    timed = {"times", "seconds", "model_file"}
    if isinstance(found, dict):
        return {key: without_times(value) for key, value in found.items() if key not in timed}
    return [without_times(value) for value in found] if isinstance(found, list) else found


def outcome(capsys, *command):
    done = call(capsys, *command, "--json")
    assert done.code == 0, done.err
    return without_times(json.loads(done.out))


def test_every_option_is_in_the_matrix():
    command = typer.main.get_command(app).commands["fit"]
    assert {option.name for option in command.params} == set(OPTIONS)


@pytest.mark.parametrize(("path", "name"), [c for c in CELLS if c[1] in REFUSED[c[0]]])
def test_an_option_without_effect_is_refused(here, capsys, path, name):
    before = sorted(here.rglob("*"))
    done = call(capsys, *arguments(path, name))
    assert done.code == 2
    assert WORDS.get(name, f"--{name}") in done.err
    assert sorted(here.rglob("*")) == before


@pytest.mark.slow
@pytest.mark.parametrize(("path", "name"), [c for c in CELLS if c[1] not in REFUSED[c[0]]])
def test_an_option_has_an_effect(here, capsys, monkeypatch, plain, path, name):
    command = arguments(path, name)
    if name == "dask":
        for module in ("fit", "large"):
            monkeypatch.setattr(f"gramian.cli.{module}.connect", _called)
        assert "--dask was used" in call(capsys, *command).err
        return
    if name == "threads":
        gramian.set_num_threads(2)
        outcome(capsys, *command)
        assert gramian.get_num_threads() == 1
        return
    if name == "open_report":
        opened = []
        monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
        outcome(capsys, *command)
        assert opened
        assert opened[0].endswith("report.html")
        return
    if name == "json":
        assert json.loads(call(capsys, *command).out)["task"]
        return
    found = outcome(capsys, *command)
    if name == "out":
        assert (here / "elsewhere" / "model.gram").exists()
        return
    if name == "budget":
        assert not found["complete"]
    if path not in plain:
        plain[path] = outcome(capsys, "fit", *PATHS[path])
    assert found != plain[path]


@pytest.mark.parametrize("path", ["frame", "chunks", "example"])
@pytest.mark.parametrize(
    "nonsense",
    [
        ("--budget", "banana"), ("--memory", "much"), ("--costs", "nowhere.csv"),
        ("--metric", "nonsense"), ("--alpha", "7"), ("--test", "-1"), ("--task", "dance"),
        ("--evals", "0"), ("--reject", "-1"), ("--seed", "-1"), ("--models", "Nothing"),
        ("--groups", "nowhere"), ("--drop", "nowhere"), ("--weights", "nowhere"),
    ],
)  # fmt: skip
def test_nonsense_is_an_error_on_every_path(here, capsys, path, nonsense):
    done = call(capsys, "fit", *PATHS[path], *nonsense)
    assert done.code == 2, done.err
    assert nonsense[0].strip("-") in done.err or nonsense[1] in done.err


def test_a_file_that_is_too_large_refuses_in_the_same_way(here, capsys, monkeypatch):
    monkeypatch.setattr(large, "_memory", lambda: 1000.0)
    done = call(capsys, "fit", "t.csv", "--target", "y", "--labels", "labels.xml")
    assert done.code == 2
    assert "--labels cannot be used if the table is read in chunks" in done.err
    assert "too large for memory" in done.err
    assert "--no-chunks" in done.err


def _called(address):
    raise ParameterError("--dask was used.")
