"""Importances, effects and coefficients of models whose answers are known."""

from functools import partial

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import Pipeline

from gramian.data.preparer import TablePreparer
from gramian.linear_model import LogisticRegression, Ridge
from gramian.study.findings.importances import (
    coefficients,
    effect,
    effect_of_words,
    explain_row,
    importances,
    sample_rows,
)
from gramian.study.problem.metrics import Predicted
from gramian.tree import DecisionTreeRegressor


@pytest.fixture
def frame(rng):
    columns = {"a": rng.normal(size=300), "b": rng.normal(size=300), "c": ["u", "v", "v"] * 100}
    return pl.DataFrame(columns)


def known(frame):
    """A model that the tests know: 3 a + b, 10 more where c is "v"."""
    return 3 * frame["a"].to_numpy() + frame["b"].to_numpy() + 10 * (frame["c"] == "v").to_numpy()


def means_at(frame, name, values):
    return [known(frame.with_columns(pl.lit(value).alias(name))).mean() for value in values]


def test_the_importance_is_the_drop_of_the_score(frame):
    """Shuffling x in a term k x raises the mean squared error from 0 to 2 k^2 var(x)."""
    y = known(frame)

    def predict(name, order):
        mixed = frame if name in (None, "noise") else frame.with_columns(frame[order][name])
        return Predicted(known(mixed), None)

    found = importances(
        predict,
        lambda predicted, rows: -float(np.mean((y - predicted.values)[rows] ** 2)),
        300,
        ["noise", "a", "b", "c"],
        alpha=0.05,
        seed=0,
    )
    assert [item.column for item in found] == ["c", "a", "b", "noise"]
    by_name = {item.column: item for item in found}
    assert by_name["noise"].mean == 0.0
    assert by_name["a"].mean == pytest.approx(2 * 9 * frame["a"].var(), rel=0.15)
    assert by_name["c"].mean == pytest.approx(2 * 100 * 2 / 9, rel=0.15)
    for item in found[:3]:
        assert item.low < item.mean < item.high


def test_the_interval_covers_the_importance_for_other_rows(rng):
    """Of a model that is right, y = a, the importance is 2; shuffles alone do not tell how sure."""
    covered = 0
    for _ in range(60):
        y = rng.normal(size=100)
        (found,) = importances(
            lambda name, order, y=y: Predicted(y[order], None),
            lambda predicted, rows, y=y: -float(np.mean((y - predicted.values)[rows] ** 2)),
            100,
            ["a"],
            alpha=0.05,
            seed=0,
        )
        covered += found.low <= 2 <= found.high
    assert covered >= 50


def test_the_effect_of_a_number_is_its_line(frame):
    found = effect(partial(means_at, frame, "a"), frame, "a", "numeric")
    slopes = np.diff(found.means) / np.diff(found.values)
    np.testing.assert_allclose(slopes, 3.0)
    low, high = np.quantile(frame["a"], [0.02, 0.98])
    assert (found.values[0], found.values[-1]) == (pytest.approx(low), pytest.approx(high))


def test_the_effect_of_a_category_is_at_its_levels(frame):
    found = effect(partial(means_at, frame, "c"), frame, "c", "categorical")
    assert found.values == ("v", "u")  # the most frequent first
    assert found.means[0] - found.means[1] == pytest.approx(10.0)


def test_the_effect_of_a_word_is_the_mean_of_its_rows():
    texts = ["good cheap", "good dear", "bad cheap", "bad dear", None] * 5
    predicted = np.array([0.9, 0.8, 0.2, 0.0, 0.5] * 5)
    found = effect_of_words(predicted, texts, "note")
    assert found.kind == "text"
    assert found.values == ("bad", "good", "dear", "cheap")  # the most telling first
    np.testing.assert_allclose(found.means, [0.1, 0.85, 0.4, 0.55])
    classes = effect_of_words(np.column_stack([1 - predicted, predicted]), texts, "note")
    np.testing.assert_allclose(classes.means[0], [0.9, 0.1])
    assert effect_of_words(predicted[:4], texts[:4], "note") is None


def test_coefficients_have_the_names_of_the_prepared_columns(frame):
    preparer = TablePreparer({"a": "numeric", "c": "categorical"}, scale=False)
    y = known(frame) - frame["b"].to_numpy()
    pipeline = Pipeline([("prepare", preparer), ("model", Ridge(alpha=1e-9))]).fit(frame, y)
    found = coefficients(pipeline, [])
    assert set(found.columns[:2]) == {"c=u", "c=v"}
    value = dict(zip(found.columns, found.values[0], strict=True))
    assert value["a"] == pytest.approx(3.0)
    assert value["c=v"] - value["c=u"] == pytest.approx(10.0, rel=1e-6)
    assert (found.outputs, found.left_out) == (("prediction",), 0)
    shorter = coefficients(pipeline, [], most=1)
    assert (len(shorter.columns), shorter.left_out) == (1, 2)


def test_two_classes_have_one_row_of_coefficients(frame):
    preparer = TablePreparer({"a": "numeric"})
    y = np.where(frame["a"].to_numpy() > 0, "yes", "no")
    pipeline = Pipeline([("prepare", preparer), ("model", LogisticRegression())]).fit(frame, y)
    assert coefficients(pipeline, ["no", "yes"]).outputs == ("yes",)


def test_a_model_without_coefficients_has_none(frame):
    steps = [("prepare", TablePreparer({"a": "numeric"})), ("model", DecisionTreeRegressor())]
    assert coefficients(Pipeline(steps).fit(frame, known(frame)), []) is None


def test_the_effects_on_one_row_are_distances_from_the_others(frame):
    found = {item.column: item for item in explain_row(known, frame, 4, ["a", "b", "c"])}
    assert found["a"].value == frame["a"][4]
    sizes = [abs(item.effect) for item in found.values()]
    assert sizes == sorted(sizes, reverse=True)
    whole = explain_row(known, frame.head(50), 4, ["a"])  # all rows are among the others
    expected = 3 * (frame["a"][4] - frame.head(50)["a"].mean())
    assert whole[0].effect == pytest.approx(expected)


def test_at_most_a_thousand_rows_are_sampled():
    rows = sample_rows(5000, 0)
    assert len(rows) == len(set(rows.tolist())) == 1000
    assert rows.tolist() == sorted(rows)
    assert sample_rows(7, 0).tolist() == list(range(7))
    assert rows.tolist() != sample_rows(5000, 1).tolist()
