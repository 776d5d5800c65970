"""``fit_table``: a model for a table in one call."""

import inspect
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian
from gramian import study
from gramian.base.errors import DataError, ParameterError
from gramian.report import FittedTable, fit_table
from tests.study.tables import mixed, prices


@pytest.fixture(scope="module")
def found():
    return fit_table(mixed(), "bought", models="LogisticRegression", evals=1, budget="30s")


def test_the_model_is_that_of_a_study(found):
    settings = {"models": ("LogisticRegression",), "evals": 1, "budget": 30.0}
    same = study.run(mixed(), "bought", **settings)
    assert found.contents.leaderboard[0].metrics == same.contents.leaderboard[0].metrics
    assert isinstance(found, FittedTable)
    assert found.model.predict(mixed()).tolist() == same.model.predict(mixed()).tolist()
    assert str(found) == str(same)


def test_the_parameters_are_the_settings():
    parameters = inspect.signature(fit_table).parameters
    settings = {f.name: f.default for f in fields(study.Settings)}
    named = {n: p.default for n, p in parameters.items() if n not in ("table", "progress")}
    del named["misspelt"]
    assert named == settings


def test_the_leaderboard_is_a_frame_of_the_library_of_the_table(found):
    assert isinstance(found.leaderboard, pl.DataFrame)
    assert found.leaderboard["model"].to_list() == ["LogisticRegression", "baseline"]
    pandas = fit_table(prices().to_pandas(), "price", models=["Ridge"], evals=1)
    assert isinstance(pandas.leaderboard, pd.DataFrame)
    columns = ["model", "r2", "low", "high", "p vs best", "fit seconds"]
    assert list(pandas.leaderboard.columns) == columns
    assert isinstance(pandas.explain(0), pd.DataFrame)


def test_an_explanation_is_a_frame(found):
    effects = found.explain(3)
    assert effects.columns == ["column", "value", "effect"]
    assert set(effects["column"]) == {"age", "income", "town"}
    sizes = effects["effect"].abs().to_list()
    assert sizes == sorted(sizes, reverse=True)
    with pytest.raises(DataError, match="row must be between 0 and 119; got 120"):
        found.explain(120)
    with pytest.raises(ParameterError, match="row must be an integer; got 'first'"):
        found.explain("first")


def test_clusters_and_labels_have_a_leaderboard_too():
    clusters = fit_table(prices(60), task="clustering")
    assert clusters.leaderboard.columns == ["clusters", "silhouette", "inertia"]
    assert "<table>" in clusters._repr_html_()
    with pytest.raises(ParameterError, match="finds clusters and makes no predictions"):
        clusters.explain(0)
    X = np.random.default_rng(0).normal(size=(80, 2))
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "calm": X[:, 0] > 0, "sad": X[:, 1] > 0.2})
    labelled = fit_table(frame, labels=["calm", "sad"], models="BinaryRelevance")
    assert labelled.leaderboard["model"][0] == "BinaryRelevance"


def test_a_notebook_shows_the_verdict_and_the_leaderboard():
    frame = (
        mixed()
        .rename({"town": "<b>town</b>"})
        .with_columns(bought=pl.lit("<i>") + pl.col("bought"))
    )
    shown = fit_table(frame, "bought", models="GaussianNB", evals=1)._repr_html_()
    assert "The best model is GaussianNB" in shown
    assert "<td>baseline</td>" in shown
    assert "<i>" not in shown
    assert "<b>town" not in shown


def test_the_report_is_one_file(found, tmp_path):
    path = found.report(tmp_path / "report.html")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert found.report(str(path)) == path
    with pytest.raises(OSError, match="absent"):
        found.report(tmp_path / "absent" / "report.html")


def test_a_file_is_read(tmp_path):
    prices().write_csv(tmp_path / "prices.csv")
    found = fit_table(tmp_path / "prices.csv", "price", models="Ridge", evals=1)
    assert found.contents.run.name == "prices"
    assert found.explain(0)["column"].to_list()[-1] in ("area", "rooms")


@pytest.mark.parametrize(
    ("table", "settings", "kind", "message"),
    [
        (mixed(), {"modles": "Ridge"}, TypeError, "no setting 'modles'; did you mean 'models'"),
        (mixed(), {"models": "LogisticRegresion"}, ParameterError, "mean 'LogisticRegression'"),
        (mixed(), {"budget": "soon"}, ParameterError, "budget must be a time above 0, such as 90s"),
        (mixed(), {"target": "buoght"}, DataError, "target: there is no column 'buoght'; did"),
        (mixed(), {"metric": "acuracy"}, ParameterError, "Did you mean 'accuracy'"),
        (np.eye(3), {}, TypeError, r"^fit_table: table must be a frame \(pandas"),
        ("absent.csv", {}, DataError, "absent.csv: no such file"),
    ],
)  # fmt: skip
def test_mistakes_are_named(table, settings, kind, message):
    with pytest.raises(kind, match=message):
        fit_table(table, **{"target": "bought", **settings})


def test_without_the_extra_frames_work_and_the_rest_names_it(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,2\n")
    code = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("polars", "jinja2", "rich", "typer", "fastexcel"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
import numpy as np, pandas as pd, gramian
X = np.random.default_rng(0).normal(size=(60, 2))
frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": X[:, 0] + X[:, 1]})
found = gramian.fit_table(frame, "y", models="Ridge", evals=1)
assert found._repr_html_() and len(found.leaderboard) == 2
for call in (lambda: found.report("r.html"), lambda: gramian.fit_table(sys.argv[1], "y")):
    try:
        call()
    except gramian.base.errors.MissingExtra as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "t.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        'jinja2 is needed here; install it with: pip install "gramian[app]"',
        'polars is needed here; install it with: pip install "gramian[app]"',
    ]
    assert gramian.fit_table is fit_table
