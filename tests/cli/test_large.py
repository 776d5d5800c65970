"""The command on tables that are fitted by chunks."""

import json
import resource
import sys

import numpy as np
import pandas as pd
import pytest

import gramian
from gramian.base.errors import ParameterError
from gramian.cli import large
from gramian.cli.large import is_large
from gramian.scale.large_tables import LARGE_MODELS
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


def test_the_best_model_is_written(table, here, capsys):
    done = call(capsys, "fit", str(table), "-t", "y", "--chunks", "--drop", "n", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["task"] == "classification"
    assert found["models"][0]["score"] > 0.85 > found["baseline"]
    assert found["columns"] == ["a", "b", "c", "colour=red"]
    model = gramian.load(found["model_file"])
    assert model.predict(np.zeros((2, 4))).shape == (2,)


def test_what_could_not_be_fitted_is_said(table, here, capsys):
    settings = ["--chunks", "--drop", "y", "--models", "RidgeCV,SVR"]
    done = call(capsys, "fit", str(table), "-t", "n", *settings)
    assert done.out == "t-run/report.html\n"
    assert "RidgeCV is best on" in done.err
    assert "Not fitted: SVR" in done.err
    page = (here / "t-run" / "report.html").read_text()
    assert "SVR" in page
    assert "needs all of them in one place" in page
    assert "colour (2 categories)" in page


def test_models_that_a_study_would_try_are_named(table, here, capsys):
    done = call(capsys, "fit", str(table), "-t", "n", "--chunks", "--drop", "y", "--json")
    found = json.loads(done.out)
    assert {row["model"] for row in found["models"]} == set(LARGE_MODELS["regression"])
    assert "needs all rows in memory" in found["not_fitted"]["SVR"]
    assert "name it to have it fitted" in found["not_fitted"]["Ridge"]
    assert found["categories"] == {"colour": ["blue", "red"]}


def test_tables_that_do_not_fit_in_memory_are_large(table, monkeypatch):
    assert not is_large(str(table), None, None)
    monkeypatch.setattr(large, "_memory", lambda: 1000.0)
    assert is_large(str(table), None, None)
    assert not is_large(str(table), False, None)
    assert not is_large(None, None, None)
    assert is_large(str(table), None, "tcp://127.0.0.1:1")
    with pytest.raises(ParameterError, match="read a Parquet, CSV or TSV file"):
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
        (["-t", "y", "--drop", "nope"], "--drop: there is no column 'nope' in t.parquet"),
        (["-t", "y", "--task", "clustering"], "needs --target"),
        (["-t", "y", "--models", "Nothing"], "there is no model 'Nothing'"),
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
    assert "no rows" in done.err
