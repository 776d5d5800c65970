"""Tables larger than memory, as the rows of a study."""

import numpy as np
import polars as pl
import pytest

from gramian import study
from gramian.base.errors import DataError, ParameterError
from gramian.scale import LargeTable, csv_source, large_tables
from gramian.study import SPACES, Settings
from gramian.study.problem.problem import pose_problem
from gramian.study.search.spaces import families
from gramian.study.search.trial import Candidate, Workbench


def frame_of(n=600, seed=0):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, n))
    noise = rng.normal(size=n)
    return pl.DataFrame(
        {
            "a": a,
            "b": [None if i % 17 == 0 else v for i, v in enumerate(b.tolist())],
            "colour": rng.choice(["red", "blue", "green"], n),
            "w": rng.integers(1, 4, n),
            "y": np.where(a + 0.5 * noise > 0, "yes", "no"),
            "n": 2 * a + b + 0.1 * noise,
        }
    )


@pytest.fixture
def path(tmp_path):
    frame_of().write_parquet(tmp_path / "t.parquet", row_group_size=100)
    return str(tmp_path / "t.parquet")


@pytest.fixture
def small(monkeypatch):
    """Samples are small, so that rows are left out of them."""
    monkeypatch.setattr(large_tables, "_SAMPLE", 150)


def run(path, target, **options):
    settings = Settings(target=target, **options)
    rows = LargeTable(path, settings)
    return rows, study.run(rows, target, **options)


def test_the_model_is_fitted_to_all_rows_that_are_not_held_out(path, small):
    rows, found = run(path, "y", drop=("n",), models=("GaussianNB",), evals=1)
    counts = rows.counts()
    assert counts["rows"] == 600
    assert found.model[-1].class_count_.sum() == counts["fitted"] > 400
    assert len(rows.table.frame) < 350
    assert found.result["data"]["rows"] == 600
    assert "fitted to all" in found.result["verdict"][-1]
    assert found.result["test"]["rows"] == rows.held_out.sum() <= 150
    assert found.model.predict(frame_of()).shape == (600,)


def test_with_all_rows_in_the_sample_the_model_matches_memory(path):
    rows, found = run(path, "n", drop=("y",), models=("Ridge",), evals=1)
    assert len(rows.table.frame) == 600
    frame = rows.table.frame.filter(pl.Series(~rows.held_out))
    problem = pose_problem(frame, Settings(target="n", drop=("y",)), {})
    bench = Workbench(problem, (), None, 0)
    params = found.contents.leaderboard[0].params
    near = bench.fitted_pipeline(Candidate("Ridge", params), np.arange(len(frame)))
    np.testing.assert_allclose(found.model.predict(frame), near.predict(frame), rtol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["y", "n"])
def test_every_model_that_is_tried_can_be_fitted_by_chunks(path, small, target):
    other = {"y": "n", "n": "y"}[target]
    settings = Settings(target=target, drop=(other,), weights="w")
    rows = LargeTable(path, settings)
    problem = pose_problem(rows.table.frame, settings, rows.table.formats)
    bench = Workbench(problem, (), None, 0)
    kind = "classifier" if target == "y" else "regressor"
    names = [e.name for e in families(kind, 0) if rows.why_not(e.name) is None]
    assert len(names) >= 6
    development = np.flatnonzero(~rows.held_out)
    for name in names:
        fitted = rows.fitted(bench, Candidate(name, dict(SPACES[name].fixed)), development)
        assert len(fitted.predict(frame_of(50))) == 50


@pytest.mark.slow
def test_models_that_need_all_rows_are_refused_or_named(path, small):
    with pytest.raises(
        ParameterError, match="KNeighborsClassifier cannot be used for a table read"
    ):
        run(path, "y", models=("KNeighborsClassifier",))
    _, found = run(path, "y", drop=("n",), evals=1)
    issue = next(c for c in found.result["checks"] if c["code"] == "not-by-chunks")
    assert "KNeighborsClassifier" in issue["text"]


def test_rows_of_a_group_are_on_one_side(tmp_path, small):
    """A column that names the group predicts the target within it, and nothing beyond it."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(60), 20)
    place = rng.permutation(1200)
    label = rng.integers(0, 2, 60)[groups]
    frame = pl.DataFrame({"g": groups, "x": groups + rng.normal(size=1200) / 9, "y": label})
    frame[place].write_parquet(tmp_path / "t.parquet", row_group_size=200)
    path = str(tmp_path / "t.parquet")
    settings = {"models": ("RandomForestClassifier",), "evals": 1, "metric": "accuracy"}
    rows, found = run(path, "y", groups="g", **settings)
    sampled = rows.table.frame["g"].to_numpy()
    assert not set(sampled[rows.held_out]) & set(sampled[~rows.held_out])
    assert all((sampled == g).sum() == 20 for g in set(sampled))
    apart = found.result["test"]["scores"]["accuracy"]["value"]
    mixed = run(path, "y", drop=("g",), **settings)[1].result["test"]["scores"]["accuracy"]["value"]
    assert apart < 0.8 < mixed


@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M:%S", "%d/%m/%Y %H:%M"])
def test_the_latest_rows_are_held_out(tmp_path, small, monkeypatch, form):
    monkeypatch.setattr(csv_source, "_BYTES", 4000)
    frame = frame_of(800).drop("n", "w")
    hours = np.random.default_rng(1).permutation(800)
    days = [(np.datetime64("2024-01-01") + np.timedelta64(int(h), "h")).item() for h in hours]
    frame = frame.with_columns(day=pl.Series([day.strftime(form) for day in days]))
    frame.write_csv(tmp_path / "t.csv", separator=";")
    rows, found = run(str(tmp_path / "t.csv"), "y", time="day", models=("GaussianNB",), evals=1)
    assert rows.parts.n_parts > 3
    times = rows.table.frame["day"]
    held = pl.Series(rows.held_out)
    assert times.filter(held).min() > times.filter(~held).max()
    assert rows.counts()["held_out"] == pytest.approx(160, abs=2)
    assert found.model[-1].class_count_.sum() == rows.counts()["fitted"]


def test_the_same_seed_draws_the_same_rows(path, small):
    first, second = (LargeTable(path, Settings(target="y")) for _ in range(2))
    assert first.table.frame.equals(second.table.frame)
    other = LargeTable(path, Settings(target="y", seed=1))
    assert not first.table.frame.equals(other.table.frame)


def test_classes_that_the_sample_has_not_are_named(tmp_path, small):
    frame = frame_of(3000).drop("n")
    rare = ["rare" if i == 2999 else v for i, v in enumerate(frame["y"].to_list())]
    frame.with_columns(y=pl.Series(rare)).write_parquet(tmp_path / "t.parquet")
    rows, found = run(str(tmp_path / "t.parquet"), "y", models=("GaussianNB",), evals=1)
    codes = {check["code"] for check in found.result["checks"]}
    assert ("classes-unseen" in codes) == bool(rows._unseen)
    assert rows._unseen == {"rare": 1}


def test_columns_that_are_not_there_are_named(path):
    with pytest.raises(DataError, match="target: there is no column 'Y'; did you mean 'y'"):
        LargeTable(path, Settings(target="Y"))
    with pytest.raises(ParameterError, match="target must be one column"):
        LargeTable(path, Settings(target="y,n"))
