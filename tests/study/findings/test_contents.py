"""The contents of the report are plain data."""

import json

import numpy as np

import gramian
from gramian.data.reading import LoadedTable
from gramian.study.contents.run_card import DataSource, Evaluations
from gramian.study.findings import contents as module
from gramian.study.problem.problem import pose_problem
from gramian.study.settings import Settings
from tests.study.tables import mixed


def test_everything_is_json_and_the_model_can_be_saved(classified, tmp_path):
    for part in (classified.result, classified.contents.to_json()):
        assert json.loads(json.dumps(part, allow_nan=False)) is not None
    copy = gramian.load(gramian.save(classified.model, tmp_path / "model.gram"))
    np.testing.assert_array_equal(copy.predict(mixed()), classified.model.predict(mixed()))


def test_every_model_has_its_predictions(classified):
    assert classified.contents.run.winner == "LogisticRegression"
    assert set(classified.contents.models) == {
        "LogisticRegression", "KNeighborsClassifier", "baseline",
    }  # fmt: skip


def test_the_lines_that_use_the_model_run(classified, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gramian.save(classified.model, "model.gram")
    mixed().write_csv("new.csv")
    names = {}
    exec(compile(classified.contents.load.python, "load", "exec"), names)
    assert names["model"].predict(names["table"].frame).tolist() == (
        classified.model.predict(mixed()).tolist()
    )


def test_the_run_card_names_the_data():
    table = LoadedTable(mixed(), "trees", "CSV", "ab12", ["a note"])
    settings = Settings(target="bought", seed=3)
    card = module.run_card(
        pose_problem(mixed(), settings),
        table,
        settings,
        1.5,
        metric="accuracy",
        split="",
        evaluations=Evaluations(1, 1),
        complete=True,
        winner="Ridge",
    )
    assert card.data == DataSource("trees", "CSV", "ab12", 120, 120, 6, ("a note",), None)
    assert (card.task, card.target, card.seed) == ("classification", "bought", 3)
    assert card.settings["target"] == "bought"
