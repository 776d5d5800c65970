"""A saved model answers for new tables, and says what it made of them."""

import numpy as np
import polars as pl
import pytest

import gramian
from gramian import study
from gramian.base.errors import DataError, ModelFileError, ParameterError
from gramian.study.using import explain, load_model, model_path, predict_table
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


def test_rejected_rows_match_the_rule():
    model = study.run(mixed(), "bought", reject=0.2, **QUICK).model
    found = predict_table(model, mixed())
    np.testing.assert_array_equal(found.rejected, found.proba.max(axis=1) < 0.8)
    assert set(found.values[found.rejected]) == {"reject"}


def test_an_explanation_adds_up_for_a_linear_model():
    """Effects of a linear model are coefficient times distance from the mean of the others."""
    model = study.run(prices(), "price", evals=1, models=("Ridge",)).model
    predicted, effects = explain(model, prices(), 3)
    assert predicted.values == pytest.approx(model.predict(prices()[[3]]))
    assert [e.column for e in effects] == ["area", "rooms"]
    assert effects[0].value == prices()["area"][3]
    predictions = model.predict(prices())
    total = sum(e.effect for e in effects)
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
    with pytest.raises(ModelFileError, match=r"this folder is not a run directory"):
        load_model(tmp_path)
    (tmp_path / "run.toml").touch()
    with pytest.raises(ModelFileError, match=r"the run is not finished.*gramian fit --resume"):
        load_model(tmp_path)


def test_a_run_directory_stands_for_its_model(tmp_path):
    gramian.save(gramian.Ridge().fit([[0.0], [1.0]], [0.0, 1.0]), tmp_path / "model.gram")
    assert model_path(tmp_path) == tmp_path / "model.gram"
    assert isinstance(load_model(tmp_path), gramian.Ridge)


def test_a_threshold_decides_between_two_classes(classified):
    low = predict_table(classified.model, mixed(), threshold=0.23)
    assert ((low.values == "yes") == (low.proba[:, 1] >= 0.23)).all()
    high = predict_table(classified.model, mixed(), threshold=0.23, positive="no")
    assert ((high.values == "no") == (high.proba[:, 0] >= 0.23)).all()
    assert (low.values != high.values).any()
    assert low.notes[-1] == "predicting 'yes' where its probability is at least 0.23"
    never = predict_table(classified.model, mixed(), threshold=1.0)
    assert ((never.values == "yes") == (never.proba[:, 1] == 1)).all()


def test_costs_decide_whatever_the_order_they_are_given_in(classified):
    sorted_ = predict_table(classified.model, mixed(), costs=((0, 1), (20, 0)))
    named = predict_table(
        classified.model, mixed(), costs=((0, 20), (1, 0)), cost_classes=("yes", "no")
    )
    assert ((sorted_.values == "yes") == (sorted_.proba[:, 1] > 20 / 21)).all()
    assert (named.values == sorted_.values).all()
    rejecting = predict_table(classified.model, mixed(), reject=0.1)
    assert (rejecting.rejected == (rejecting.proba.max(axis=1) < 0.9)).all()


def test_a_threshold_replaces_the_costs_of_the_study():
    model = study.run(mixed(), "bought", costs=((0, 1), (20, 0)), **QUICK).model
    found = predict_table(model, mixed(), threshold=0.5)
    assert ((found.values == "yes") == (found.proba[:, 1] >= 0.5)).all()
    assert (found.values != predict_table(model, mixed()).values).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 1.5}, "threshold must be between 0 and 1; got 1.5"),
        ({"threshold": 0.5, "positive": "perhaps"}, "positive must be one of no, yes; got"),
        ({"positive": "yes"}, "positive must come with threshold"),
        ({"threshold": 0.5, "reject": 0.1}, "cannot both be set"),
        ({"costs": ((0, 1),)}, r"2 x 2 numbers.*\(no, yes\)"),
        ({"costs": ((0, 1), (1, 0)), "cost_classes": ("no", "nay")}, "name the classes no, yes"),
    ],
)
def test_decisions_that_cannot_be_made_are_refused(classified, options, message):
    with pytest.raises(ParameterError, match=message):
        predict_table(classified.model, mixed(), **options)


def test_a_threshold_needs_two_classes_and_probabilities():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "c"]
    three = gramian.KNeighborsClassifier(1).fit(X, y)
    with pytest.raises(ParameterError, match=r"two classes; the model has 3 \(a, b, c\)"):
        predict_table(three, X, threshold=0.5)
    with pytest.raises(ParameterError, match="probabilities; Ridge has none"):
        predict_table(gramian.Ridge().fit(X, [0, 1, 2, 3]), X, threshold=0.5)


def test_a_model_that_is_broken_inside_is_said():
    model = gramian.Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    del model.intercept_
    with pytest.raises(ModelFileError, match="the model cannot predict"):
        predict_table(model, [[1.0]])
