"""A study from table to tested model: right, the same again, and resumable."""

import json

import numpy as np
import polars as pl
import pytest

import gramian
from gramian import study
from gramian.report import render
from gramian.study.problem.problem import pose_problem
from gramian.study.problem.splits import split_rows
from gramian.study.settings import Settings
from tests.study.tables import mixed, prices

QUICK = {"evals": 4, "models": ("LogisticRegression", "KNeighborsClassifier")}


def without_times(found):
    return {k: v for k, v in found.result.items() if k != "times"}


@pytest.fixture(scope="module")
def classified():
    return study.run(mixed(), "bought", **QUICK)


def test_a_study_finds_a_model_that_beats_nothing_and_says_how_good_it_is(classified):
    result = classified.result
    assert result["task"] == "classification"
    assert result["complete"]
    assert result["winner"] == result["leaderboard"][0]["name"]
    assert {row["name"] for row in result["leaderboard"]} == {*QUICK["models"], "baseline"}
    found = result["test"]["scores"]["accuracy"]
    assert found["low"] <= found["value"] <= found["high"]
    assert found["value"] > result["test"]["baseline"]["accuracy"]
    assert "significantly better than the baseline" in result["verdict"][2]
    codes = {check["code"] for check in result["checks"]}
    assert {"constant-columns", "identifier-columns"} <= codes


def test_the_test_score_is_that_of_the_model_on_rows_it_never_saw(classified):
    """The score can be made again from the model and the row numbers alone."""
    settings = Settings(target="bought", evals=4, models=QUICK["models"])
    problem = pose_problem(mixed(), settings)
    rows = split_rows(problem, settings).test
    said = classified.model.predict(mixed()[rows])
    assert (
        np.mean(said == problem.labels[rows])
        == classified.result["test"]["scores"]["accuracy"]["value"]
    )


def test_everything_is_json_and_the_model_can_be_saved(classified, tmp_path):
    for part in (classified.result, classified.contents):
        assert json.loads(json.dumps(part, allow_nan=False)) is not None
    copy = gramian.load(gramian.save(classified.model, tmp_path / "model.gram"))
    np.testing.assert_array_equal(copy.predict(mixed()), classified.model.predict(mixed()))


def test_the_same_seed_gives_the_same_result_for_any_threads_and_another_seed_another():
    found = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        found.append(without_times(study.run(mixed(), "bought", **QUICK)))
    assert found[0] == found[1] == found[2]
    assert without_times(study.run(mixed(), "bought", seed=1, **QUICK)) != found[0]


def test_more_evaluations_only_add_to_fewer(tmp_path):
    folders = [tmp_path / "few", tmp_path / "many"]
    for folder, evals in zip(folders, (4, 8), strict=True):
        folder.mkdir()
        study.run(mixed(), "bought", folder=folder, **{**QUICK, "evals": evals})
    texts = [(folder / "journal.jsonl").read_text() for folder in folders]
    few, many = ([json.loads(line) for line in text.splitlines()] for text in texts)
    assert [(r["key"], r["value"]["scores"]) for r in few[:4]] == [
        (r["key"], r["value"]["scores"]) for r in many[:4]
    ]


@pytest.mark.parametrize("kept", [0, 1, 5, 9, 20, 10_000])
def test_a_run_cut_anywhere_goes_on_to_the_same_result(classified, tmp_path, kept):
    study.run(mixed(), "bought", folder=tmp_path, **QUICK)
    path = tmp_path / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:kept]) + b'{"key": "tune')
    again = study.run(mixed(), "bought", folder=tmp_path, **QUICK)
    assert without_times(again) == without_times(classified)


def test_regression():
    found = study.run(prices(), "price", evals=6, models=("Ridge", "KNeighborsRegressor"))
    assert found.result["winner"] == "Ridge"
    assert found.result["test"]["scores"]["r2"]["value"] > 0.95
    assert found.contents["coefficients"]["columns"][0] == "area"
    assert found.contents["importances"][0]["column"] == "area"
    area = next(e for e in found.contents["effects"] if e["column"] == "area")
    assert np.polyfit(area["values"], area["means"], 1)[0] == pytest.approx(2.5, rel=0.1)


def test_a_budget_stops_the_search_and_says_so():
    found = study.run(mixed(), "bought", budget=1e-6)
    assert not found.result["complete"]
    assert found.result["evaluations"]["made"] == 1
    assert len(found.result["leaderboard"]) == 2


def test_costs_and_refusals_change_the_decisions(tmp_path):
    dear = study.run(mixed(), "bought", costs=((0, 1), (20, 0)), reject=0.4, **QUICK)
    assert dear.result["metric"] == "cost"
    copy = gramian.load(gramian.save(dear.model, tmp_path / "model.gram"))
    said = copy.predict(mixed())
    plain = study.run(mixed(), "bought", **QUICK).model.predict(mixed())
    assert set(said) <= {"yes", "no", "reject"}
    assert (said == "yes").sum() < (plain == "yes").sum()
    assert (said == "reject").any()
    with pytest.raises(ValueError, match="table of 2 x 2 numbers"):
        study.run(mixed(), "bought", costs=((0, 1, 2),), **QUICK)
    with pytest.raises(ValueError, match="need a classification task"):
        study.run(prices(), "price", reject=0.1)


def test_weights_count_rows():
    """A weight of zero takes a row's class out of the baseline's mean."""
    frame = prices().with_columns(pl.when(pl.col("rooms") == 1).then(0.0).otherwise(1.0).alias("w"))
    found = study.run(frame, "price", weights="w", evals=2)
    assert "w" not in found.model[0].kinds_
    plain = study.run(frame.drop("w"), "price", evals=2)
    assert found.result["test"]["baseline"] != plain.result["test"]["baseline"]
    assert found.model[-1].coef_.tolist() != plain.model[-1].coef_.tolist()


def test_a_copy_of_the_target_is_left_out():
    frame = mixed().with_columns(pl.col("bought").alias("copy"))
    found = study.run(frame, "bought", **QUICK)
    assert "copy" not in found.model[0].kinds_
    assert any(check["code"] == "target-copy" for check in found.result["checks"])


def test_noise_is_not_sold_as_a_model(rng):
    frame = pl.DataFrame({"x": rng.normal(size=80), "z": rng.normal(size=80), "y": ["a", "b"] * 40})
    found = study.run(frame, "y", **QUICK)
    assert "not significantly better than the baseline" in found.result["verdict"][2]
    assert any(check["code"] == "baseline" for check in found.result["checks"])


def test_watchers_see_every_step_up_to_the_last():
    steps = []
    study.run(mixed(), "bought", watch=steps.append, **QUICK)
    assert steps[-1].done == steps[-1].total
    assert [s.done for s in steps] == sorted(s.done for s in steps)
    assert {s.stage for s in steps} == {"tune", "compare", "explain"}


def test_pandas_works_too(classified):
    pytest.importorskip("pandas")
    found = study.run(mixed().to_pandas(), "bought", **QUICK)
    assert found.result["leaderboard"] == classified.result["leaderboard"]


def test_a_model_that_fails_does_not_end_the_study(monkeypatch):
    """An estimator that cannot be fitted is recorded, and the others go on."""

    def refuse(self, X, y=None, sample_weight=None):
        raise ValueError("KNeighborsClassifier: no")

    monkeypatch.setattr(gramian.KNeighborsClassifier, "fit", refuse)
    found = study.run(mixed(), "bought", **QUICK)
    assert {row["name"] for row in found.result["leaderboard"]} == {
        "LogisticRegression",
        "baseline",
    }
    (check,) = [c for c in found.result["checks"] if c["code"] == "failed-model"]
    assert check["text"] == (
        "KNeighborsClassifier failed at every setting and was left out: "
        "ValueError: KNeighborsClassifier: no"
    )


def test_settings_that_fail_are_counted(monkeypatch):
    fit = gramian.KNeighborsClassifier.fit

    def refuse(self, X, y):
        if self.get_params() != gramian.KNeighborsClassifier().get_params():
            raise ValueError("only the default")
        return fit(self, X, y)

    monkeypatch.setattr(gramian.KNeighborsClassifier, "fit", refuse)
    found = study.run(mixed(), "bought", **QUICK)
    (check,) = [c for c in found.result["checks"] if c["code"] == "failed-settings"]
    assert check["text"] == (
        "KNeighborsClassifier: 1 of 2 settings failed, the first with ValueError: only the default"
    )


def test_a_model_that_fails_in_the_comparison_is_named(monkeypatch):
    fit, calls = gramian.KNeighborsClassifier.fit, []

    def refuse(self, X, y):
        calls.append(1)
        if len(calls) > 25:  # two settings on ten splits each come first
            raise ValueError("tired")
        return fit(self, X, y)

    monkeypatch.setattr(gramian.KNeighborsClassifier, "fit", refuse)
    found = study.run(mixed(), "bought", **QUICK)
    (check,) = [c for c in found.result["checks"] if c["code"] == "failed-model"]
    assert (
        "failed on a split of the comparison and was left out: ValueError: tired" in check["text"]
    )


def test_of_many_training_rows_some_are_judged(monkeypatch):
    """Every third of them: of 76 or 77, all but a fold of the 96 rows to learn from, 26."""
    monkeypatch.setattr("gramian.study.search.trial._MOST_SEEN", 26)
    predict, sizes = gramian.KNeighborsClassifier.predict, []

    def counted(self, X):
        sizes.append(len(X))
        return predict(self, X)

    monkeypatch.setattr(gramian.KNeighborsClassifier, "predict", counted)
    asked = {"metric": "accuracy", "models": ("KNeighborsClassifier",)}
    found = study.run(mixed(), "bought", evals=1, **asked)
    assert 26 in sizes
    assert not {76, 77} & set(sizes)
    assert 0.5 < found.result["leaderboard"][0]["train"] <= 1


def test_models_for_which_evaluations_do_not_suffice_are_named():
    found = study.run(mixed(), "bought", evals=1, models=QUICK["models"])
    (check,) = [c for c in found.result["checks"] if c["code"] == "models-untried"]
    assert check["text"] == "Not tried, because evals is too small: KNeighborsClassifier."


def test_a_metric_that_no_model_can_be_judged_by_is_said():
    with pytest.raises(
        ValueError, match="can be scored by metric 'log_loss', which needs probabilities"
    ):
        study.run(mixed(), "bought", metric="log_loss", models=("RidgeClassifier",))


def test_confusion_is_of_the_decisions_that_the_saved_model_makes():
    """A miss that costs fifty makes nearly every row a "yes"; a cheap refusal makes it none."""
    settings = {"costs": ((0.0, 50.0), (1.0, 0.0)), **QUICK}
    problem = pose_problem(mixed(), Settings(target="bought", **settings))
    rows = split_rows(problem, Settings(target="bought", **settings)).test
    for reject in (None, 0.5):
        found = study.run(mixed(), "bought", reject=reject, **settings)
        said, truth = found.model.predict(mixed()[rows]), problem.labels[rows]
        expected = [
            [int(((truth == a) & (said == b)).sum()) for b in ("no", "yes")] for a in ("no", "yes")
        ]
        assert found.result["test"]["confusion"] == expected
        if reject is None:
            assert expected[1][0] == 0 < expected[0][1]  # no miss, some false alarms
        else:
            lost = [int(((truth == a) & (said == "reject")).sum()) for a in ("no", "yes")]
            assert found.result["test"]["refused"] == lost
            assert sum(lost) > 0
    parts = found.contents["models"]["LogisticRegression"]
    assert np.sum(parts["confusion"]) + np.sum(parts["refused"]) == len(problem.y) - len(rows)


def test_importances_are_of_rows_that_the_model_did_not_see(rng):
    """A tree learns noise by heart; shuffling its columns takes nothing from rows it never saw."""
    frame = pl.DataFrame(rng.normal(size=(150, 3)), schema=["a", "b", "c"])
    frame = frame.with_columns(y=pl.Series(rng.choice(["u", "v"], 150)))
    found = study.run(frame, "y", evals=1, models=("DecisionTreeClassifier",))
    assert found.result["leaderboard"][0]["metrics"]["accuracy"]["mean"] < 0.7
    assert max(abs(item["mean"]) for item in found.contents["importances"]) < 0.12


@pytest.mark.parametrize("task", ["a class", "a number"])
def test_numbers_of_any_size(rng, task):
    x = rng.normal(size=60)
    y = np.where(x > 0, "high", "low") if task == "a class" else x + 0.1 * rng.normal(size=60)
    frame = pl.DataFrame({"big": 1e300 * x, "small": 1e-300 * rng.normal(size=60), "y": y})
    found = study.run(frame, "y", evals=8)
    assert next(iter(found.result["test"]["scores"].values()))["value"] > 0.7
    assert json.dumps(found.contents, allow_nan=False)
    assert render(found.contents)


def test_a_class_with_one_row_or_two():
    for rows in (1, 2):
        labels = ["rare"] * rows + mixed()["bought"].to_list()[rows:]
        found = study.run(mixed().with_columns(bought=pl.Series(labels)), "bought", **QUICK)
        assert any(check["code"] == "rare-classes" for check in found.result["checks"])
        assert json.dumps(found.contents, allow_nan=False)
        assert render(found.contents)
