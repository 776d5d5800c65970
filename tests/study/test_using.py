"""A saved model answers for new tables, and says what it made of them."""

import numpy as np
import polars as pl
import pytest

import gramian
from gramian import study
from gramian.base.errors import DataError, ModelFileError
from gramian.study.using import explain, load_model, predict_table
from tests.study.tables import QUICK, mixed, prices


def test_classes_come_with_probabilities(classified):
    found = predict_table(classified.model, mixed())
    np.testing.assert_array_equal(found.values, classified.model.predict(mixed()))
    assert found.classes == ["no", "yes"]
    np.testing.assert_array_equal(np.array(found.classes)[found.proba.argmax(axis=1)], found.values)
    assert found.rejected is None


def test_ignored_columns_and_unseen_levels_are_noted(classified):
    table = mixed().head(3).with_columns(pl.Series("town", ["Bonn", "Dessau", "Emden"]))
    notes = predict_table(classified.model, table).notes
    assert notes[0].startswith("columns ignored by the model: 'customer', 'country', 'bought'")
    assert notes[1] == "2 unseen values in 'town'"


def test_rejected_rows_are_those_of_the_rule():
    model = study.run(mixed(), "bought", reject=0.2, **QUICK).model
    found = predict_table(model, mixed())
    np.testing.assert_array_equal(found.rejected, found.proba.max(axis=1) < 0.8)
    assert set(found.values[found.rejected]) == {"reject"}


def test_an_explanation_adds_up_for_a_linear_model():
    """Effects of a linear model are coefficient times distance from the mean of the others."""
    model = study.run(prices(), "price", evals=1, models=("Ridge",)).model
    predicted, effects = explain(model, prices(), 3)
    assert predicted.values == pytest.approx(model.predict(prices()[[3]]))
    assert [e["column"] for e in effects] == ["area", "rooms"]
    assert effects[0]["value"] == prices()["area"][3]
    predictions = model.predict(prices())
    total = sum(e["effect"] for e in effects)
    assert total == pytest.approx(predictions[3] - predictions.mean(), rel=1e-6)


def test_a_row_outside_the_table_is_refused(classified):
    for row in (-1, 120):
        with pytest.raises(DataError, match=f"between 0 and 119; got {row}"):
            explain(classified.model, mixed(), row)


def test_only_a_model_of_a_study_explains():
    model = gramian.Ridge().fit(prices().select("area"), prices()["price"])
    with pytest.raises(ModelFileError, match="explain needs a model of a study"):
        explain(model, prices(), 0)


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(ModelFileError, match="no such file"):
        load_model(tmp_path / "model.gram")
    with pytest.raises(ModelFileError, match=r"this is a folder; give the model\.gram inside it"):
        load_model(tmp_path)


def test_a_model_that_is_broken_inside_is_said():
    model = gramian.Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    del model.intercept_
    with pytest.raises(ModelFileError, match="the model cannot predict"):
        predict_table(model, [[1.0]])
