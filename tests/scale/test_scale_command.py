"""The command on a cluster."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gramian
from tests.cli.command import call

dask = pytest.importorskip("dask")
pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::Warning:distributed")


def test_a_cluster_gives_the_same_models(tmp_path, monkeypatch, capsys, cluster):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(900, 3)), columns=list("abc"))
    frame["colour"] = rng.choice(["red", "blue"], 900)
    frame["y"] = np.where(frame["a"] + 0.3 * rng.normal(size=900) > 0, "yes", "no")
    table = tmp_path / "t.parquet"
    frame.to_parquet(table, row_group_size=300)
    monkeypatch.chdir(tmp_path)
    options = ["-t", "y", "--json"]
    near = json.loads(call(capsys, "fit", str(table), *options, "--chunks").out)
    options += ["--dask", cluster.scheduler_address]
    far = json.loads(call(capsys, "fit", str(table), *options).out)
    assert far["where"].startswith("on tcp://")
    page = (Path(far["model_file"]).parent / "report.html").read_text()
    assert f"on {cluster.scheduler_address}" in page
    for name, reason in far["not_fitted"].items():
        assert name in page
        assert reason in page
    assert [row["score"] for row in far["models"]] == pytest.approx(
        [row["score"] for row in near["models"]]
    )
    X = np.random.default_rng(1).normal(size=(50, 4))
    models = [gramian.load(found["model_file"]) for found in (near, far)]
    np.testing.assert_array_equal(models[0].predict(X), models[1].predict(X))

    done = call(
        capsys, "fit", str(table), *options, "--no-chunks", "--evals", "1", "--models", "GaussianNB"
    )
    assert done.code == 0
    assert "GaussianNB" in done.out


def test_a_scheduler_that_does_not_answer_is_named(tmp_path, monkeypatch, capsys):
    pd.DataFrame({"a": [1.0, 2.0], "y": [0, 1]}).to_parquet(tmp_path / "t.parquet")
    monkeypatch.chdir(tmp_path)
    with dask.config.set({"distributed.comm.timeouts.connect": "200ms"}):
        done = call(capsys, "fit", "t.parquet", "-t", "y", "--dask", "tcp://127.0.0.1:1")
    assert done.code == 2
    assert "--dask: no scheduler answers at tcp://127.0.0.1:1" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


def test_work_that_the_cluster_loses_ends_the_command_with_a_sentence(
    tmp_path, monkeypatch, capsys, cluster
):
    pd.DataFrame({"a": [1.0, 2.0], "y": [0, 1]}).to_parquet(tmp_path / "t.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gramian, "__version__", "99.0")
    settings = ["-t", "y", "--dask", cluster.scheduler_address]
    done = call(capsys, "fit", "t.parquet", *settings)
    assert done.code == 1
    assert "this process has gramian 99.0" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]
