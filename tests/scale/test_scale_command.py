"""The command on a cluster."""

import json

import numpy as np
import pandas as pd
import pytest

import gramian
from tests.cli.command import call

dask = pytest.importorskip("dask")
pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::Warning:distributed")


@pytest.mark.slow
def test_a_cluster_gives_the_same_models(tmp_path, monkeypatch, capsys, cluster):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(900, 3)), columns=list("abc"))
    frame["colour"] = rng.choice(["red", "blue"], 900)
    frame["y"] = np.where(frame["a"] + 0.3 * rng.normal(size=900) > 0, "yes", "no")
    table = tmp_path / "t.parquet"
    frame.to_parquet(table, row_group_size=300)
    monkeypatch.chdir(tmp_path)
    options = ["-t", "y", "--json", "--evals", "1", "--models", "GaussianNB"]
    done = call(capsys, "fit", str(table), *options, "--chunks", "--out", "near")
    near = json.loads(done.out)
    options += ["--dask", cluster.scheduler_address]
    far = json.loads(call(capsys, "fit", str(table), *options, "--out", "far").out)
    assert {**far, "times": 0} == {**near, "times": 0}
    models = [gramian.load(tmp_path / name / "model.gram") for name in ("near", "far")]
    np.testing.assert_array_equal(models[0].predict(frame), models[1].predict(frame))

    done = call(capsys, "fit", str(table), *options, "--no-chunks")
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
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=200), "y": rng.integers(0, 2, 200)})
    frame.to_parquet(tmp_path / "t.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gramian, "__version__", "99.0")
    settings = ["-t", "y", "--dask", cluster.scheduler_address]
    settings += ["--models", "GaussianNB", "--evals", "1"]
    done = call(capsys, "fit", "t.parquet", *settings)
    assert done.code == 1
    assert "this process has gramian 99.0" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]
