"""Several labels per row."""

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import make_multilabel_classification

import gramian
from gramian import study
from gramian.base.errors import DataError, ParameterError
from gramian.report import render
from gramian.study.settings import Settings
from gramian.study.tasks.multilabel import (
    BASELINE,
    _chosen,
    _most_frequent,
    label_problem,
    learners,
)
from gramian.study.using import predict_table

LABELS = ("calm", "happy", "sad")


def songs(n=90, **columns):
    X, Y = make_multilabel_classification(n, 5, n_classes=3, random_state=0)
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(5)])
    frame = frame.with_columns(kind=pl.Series(["rock" if x > 4 else "jazz" for x in X[:, 0]]))
    return frame.with_columns(
        **{name: pl.Series(Y[:, j]) for j, name in enumerate(LABELS)}, **columns
    )


@pytest.fixture(scope="module")
def found():
    return study.run(songs(), labels=LABELS, models=("BinaryRelevance", "MLkNN"))


@pytest.mark.slow
def test_learners_are_compared_with_a_baseline(found):
    assert found.result["task"] == "multi-label"
    rows = found.result["learners"]
    assert {row["name"] for row in rows} == {"BinaryRelevance", "MLkNN", BASELINE}
    means = [row["mean"] for row in rows]
    assert means == sorted(means, reverse=True)
    assert found.result["winner"] == rows[0]["name"]


def test_each_label_is_reported(found):
    assert [each["label"] for each in found.result["labels"]] == list(LABELS)
    held_out = found.contents.labelling.rows
    assert 15 <= held_out <= 21
    assert all(each["rows"] <= held_out for each in found.result["labels"])
    assert "f1_micro" in found.result["verdict"][0]
    page = render(found.contents)
    assert "Labels on the held-out rows" in page
    for name in LABELS:
        assert f'<th scope="row">{name}</th>' in page


def test_the_model_predicts_label_sets_of_a_frame(found, tmp_path):
    gramian.save(found.model, tmp_path / "m.gram")
    model = gramian.load(tmp_path / "m.gram")
    new = songs().drop(LABELS)[:5]
    predicted = predict_table(model, new)
    expected = found.model.predict(new)
    for text, row in zip(predicted.values, expected, strict=True):
        assert text == ", ".join(np.array(LABELS)[row > 0])
    assert predicted.classes == list(LABELS)


def test_the_baseline_predicts_the_most_frequent_labels():
    """Not the empty set, which any learner beats."""
    Y = np.array([[1, 0, 1], [1, 0, 0], [1, 1, 1], [0, 0, 1]])
    np.testing.assert_array_equal(_most_frequent(Y), [1, 0, 1])  # 1.75 labels a row
    np.testing.assert_array_equal(_most_frequent(np.zeros((4, 3), int)), [1, 0, 0])


def test_the_verdict_says_how_sure_the_choice_is(found):
    first, base, others, *_ = found.result["verdict"]
    rows = {row["name"]: row for row in found.result["learners"]}
    assert first.startswith(f"The best learner is {found.result['winner']}")
    assert f"f1_micro {rows[BASELINE]['mean']:.3f}" in base
    assert 0 < rows[BASELINE]["mean"] < rows[found.result["winner"]]["mean"]
    (other,) = rows.keys() - {BASELINE, found.result["winner"]}
    unsure = rows[other]["p_best"] > 0.05
    text = f"no reliable difference between it and {other}" if unsure else "significantly worse"
    assert text in others


def test_labels_that_no_column_explains_beat_no_baseline():
    rng = np.random.default_rng(0)
    noise = {name: pl.Series(rng.integers(0, 2, 90)) for name in LABELS}
    frame = songs().drop(LABELS).with_columns(**noise)
    found = study.run(frame, labels=LABELS, models=("MLkNN",))
    assert "not significantly better than the baseline" in found.result["verdict"][1]


@pytest.mark.slow
def test_a_stopped_run_is_resumed(tmp_path):
    options = {"labels": LABELS, "models": ("BinaryRelevance",), "folder": tmp_path}
    first = study.run(songs(), **options)
    again = study.run(songs(), **options)
    assert first.result["learners"] == again.result["learners"]


def test_more_learners_where_there_are_many_labels():
    assert "HOMER" not in learners(6, 100, 0)
    assert "HOMER" in learners(50, 100, 0)


def test_chains_of_very_many_labels_are_tried_if_asked_for():
    many = _chosen(500, 100, Settings(labels=LABELS))
    assert list(many) == ["BinaryRelevance", "MLkNN", "HOMER", "RAkELo"]
    asked = Settings(labels=LABELS, models=("ClassifierChain",))
    assert list(_chosen(500, 100, asked)) == ["ClassifierChain"]
    assert "ClassifierChain" in _chosen(100, 100, Settings(labels=LABELS))


def test_the_time_ends_between_folds(monkeypatch):
    """The first learner is finished; one that was cut off is left out."""
    asked = iter(range(1000))
    monkeypatch.setattr(
        "gramian.study.tasks.multilabel.Clock.is_over", lambda self: next(asked) >= 12
    )
    found = study.run(songs(), labels=LABELS, models=("BinaryRelevance", "MLkNN"))
    assert {row["name"] for row in found.result["learners"]} == {"BinaryRelevance", BASELINE}
    assert not found.result["complete"]


def test_labels_may_be_true_and_false():
    boolean = songs().with_columns(pl.col("calm").cast(pl.Boolean))
    _, Y = label_problem(gramian.data.reading.loaded_table(boolean), Settings(labels=LABELS))
    np.testing.assert_array_equal(Y[:, 0], songs()["calm"].to_numpy())


def test_a_missing_label_is_named_as_such():
    gap = pl.when(pl.int_range(pl.len()) == 3).then(None).otherwise(pl.col("calm")).alias("calm")
    table = gramian.data.reading.loaded_table(songs().with_columns(gap))
    with pytest.raises(DataError, match=r"'calm' must contain 0 and 1.* row 3 has a missing value"):
        label_problem(table, Settings(labels=LABELS))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": ("calm", "x0")}, "'x0' must contain 0 and 1"),
        ({"labels": ("calm", "none")}, "no column 'none'"),
        ({"labels": ("calm",)}, "at least two columns; got only 'calm'"),
        ({"labels": ("calm", "calm")}, "different columns"),
        ({"labels": LABELS, "target": "kind"}, "cannot both be set"),
        ({"labels": LABELS, "metric": "r2"}, "metric must be one of f1_micro"),
        ({"labels": LABELS, "models": ("Ridge",)}, "models must be one of BinaryRelevance"),
        ({"labels": LABELS, "weights": "x0"}, "weights cannot be used with labels"),
        ({"labels": LABELS, "task": "regression"}, "task must be auto"),
        ({"labels": LABELS, "drop": ("sad",)}, "cannot name the label 'sad'"),
    ],
)
def test_bad_settings_are_named(options, message):
    with pytest.raises((DataError, ParameterError), match=message):
        study.run(songs(), **options)
