"""The command on tables that are fitted by chunks."""

import json
import resource
import sys

import numpy as np
import pandas as pd
import pytest

from gramian.base.errors import ParameterError
from gramian.cli import large
from gramian.cli.large import is_large
from tests.cli.command import call


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(900, 3)), columns=list("abc"))
    frame["colour"] = rng.choice(["red", "blue"], 900)
    frame["y"] = np.where(frame["a"] + 0.3 * rng.normal(size=900) > 0, "yes", "no")
    frame["n"] = 2 * frame["a"] + (frame["colour"] == "red")
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=300)
    return tmp_path / "t.parquet"


QUICK = ("--models", "GaussianNB", "--evals", "1")


def test_the_run_equals_one_on_a_table_in_memory(table, here, capsys):
    command = ["fit", str(table), "-t", "y", "--drop", "n", *QUICK, "--json"]
    near, far = (call(capsys, *command, *more) for more in ([], ["--chunks"]))
    assert far.code == 0, far.err
    found, other = json.loads(far.out), json.loads(near.out)
    assert found.keys() == other.keys()
    assert found["test"]["scores"]["accuracy"]["value"] > 0.8
    assert found["data"]["sha256"] == other["data"]["sha256"]
    folders = [{path.name for path in (here / name).iterdir()} for name in ("t-run", "t-run-2")]
    assert folders[0] == folders[1]


@pytest.mark.slow
def test_other_commands_take_the_run(table, here, capsys):
    """Semicolons, decimal commas and missing values are read as in memory."""
    frame = pd.read_parquet(table)
    frame.loc[::9, "b"] = np.nan
    frame.to_csv(here / "s.csv", sep=";", decimal=",", index=False)
    command = ["fit", "s.csv", "-t", "n", "--drop", "y", "--chunks", "--models", "Ridge"]
    assert call(capsys, *command, "--evals", "1", "--out", "run").code == 0
    done = call(capsys, "predict", "run", "s.csv", "--out", "p.csv")
    assert done.code == 0, done.err
    assert np.corrcoef(pd.read_csv("p.csv")["prediction"], frame["n"])[0, 1] > 0.95
    assert call(capsys, "explain", "run", "s.csv", "--row", "3").code == 0
    assert call(capsys, "report", "run").code == 0
    before = json.loads((here / "run" / "result.json").read_text())
    (here / "run" / "result.json").unlink()
    assert call(capsys, "fit", "--resume", "run").code == 0
    after = json.loads((here / "run" / "result.json").read_text())
    assert {**before, "times": 0} == {**after, "times": 0}
    (here / "s.csv").write_text((here / "s.csv").read_text() + "1;2;3;red;yes;4\n")
    done = call(capsys, "fit", "--resume", "run")
    assert done.code == 2
    assert "the data has changed" in done.err


@pytest.mark.slow
def test_what_cannot_be_fitted_by_chunks_is_said(table, here, capsys):
    done = call(capsys, "fit", str(table), "-t", "n", "--chunks", "--models", "Ridge,SVR")
    assert done.code == 2
    assert "--models: SVR cannot be used for a table read in chunks" in done.err
    done = call(capsys, "fit", str(table), "-t", "n", "--chunks", "--drop", "y", "--evals", "1")
    assert "SVR" in (here / "t-run" / "report.html").read_text()
    assert "fitted to all" in done.err


def test_tables_that_do_not_fit_in_memory_are_large(table, monkeypatch):
    assert not is_large(str(table), None, None)
    monkeypatch.setattr(large, "_memory", lambda: 1000.0)
    assert is_large(str(table), None, None)
    assert not is_large(str(table), False, None)
    assert not is_large(None, None, None)
    assert is_large(str(table), None, "tcp://127.0.0.1:1")
    with pytest.raises(ParameterError, match="need a Parquet, CSV or TSV file"):
        is_large("t.xlsx", True, None)


def test_memory_is_known(monkeypatch):
    whole = large._memory()
    assert whole > 1e6
    limits = resource.getrlimit(resource.RLIMIT_AS)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (12345, limits[1]))
    assert large._memory() == 12345.0


def test_memory_without_limits_of_a_process(monkeypatch):
    """As on Windows, which has no module `resource`."""
    monkeypatch.setitem(sys.modules, "resource", None)
    assert large._memory() == float("inf")


def test_numbers_that_are_stored_in_few_bytes_count_in_full(tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame(np.zeros((50_000, 3)), columns=list("abc")).to_parquet(path)
    assert path.stat().st_size < 10_000
    assert large._size(path) == 8.0 * 50_000 * 3
    path.write_bytes(b"damaged")
    assert large._size(path) == 7


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-t", "nope"], "there is no column 'nope'"),
        (["-t", "y", "--drop", "nope"], "--drop: there is no column 'nope'"),
        (["-t", "y", "--task", "clustering"], "needs --target"),
        (["-t", "y", "--models", "Nothing"], "there is no classifier 'Nothing'"),
    ],
)
def test_a_run_that_cannot_begin_leaves_no_folder(table, here, capsys, options, words):
    done = call(capsys, "fit", str(table), "--chunks", *options)
    assert done.code == 2
    assert words in done.err
    assert [path.name for path in here.iterdir()] == ["t.parquet"]


def test_a_table_without_rows_is_named(table, here, capsys):
    pd.read_parquet(table).iloc[:0].to_parquet(table)
    done = call(capsys, "fit", str(table), "-t", "y", "--chunks")
    assert done.code == 2
    assert "too few rows" in done.err
