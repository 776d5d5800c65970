"""Bad input gets an error that names the estimator, what was given and what to do."""

import re

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from gramian.base.fields import rules_of
from tests.contract.estimators import (
    every,
    first_of_each,
    is_pairwise,
    methods_of,
    outputs,
    table,
)


def message(error) -> str:
    return str(error.value)


def refused_values():
    """Every estimator with the values that it does not take."""
    return [
        pytest.param(*param.values, value, id=f"{param.id}-{value}", marks=param.marks)
        for param in every()
        for value in (np.nan, np.inf, -np.inf)
        if not (param.values[0].takes_nan if np.isnan(value) else param.values[0].takes_infinity)
    ]


@pytest.mark.parametrize(("model", "value"), refused_values())
def test_nan_and_infinity_are_refused_with_their_place(model, value):
    X, y = table(model)
    X[17, 2] = value
    with pytest.raises(ValueError, match="row 17, column 2") as error:
        clone(model).fit(X, y)
    assert type(model).__name__ in message(error)
    assert ("NaN" if np.isnan(value) else "inf") in message(error)
    assert ("impute" if np.isnan(value) else "clip") in message(error)


@pytest.mark.parametrize("model", [m for m in every() if not m.values[0].takes_nan])
def test_nan_is_refused_at_predict_too(model):
    X, y = table(model)
    model = clone(model).fit(X, y)
    X[3, 1] = np.nan
    for method in methods_of(model):
        with pytest.raises(ValueError, match="NaN"):
            getattr(model, method)(X)


@pytest.mark.parametrize("model", [m for m in every() if m.values[0].takes_nan])
def test_missing_values_in_fit_leave_the_other_rows_their_answers(model):
    X, y = table(model)
    complete = np.delete(X, 17, axis=0)
    X[17, 2] = np.nan
    answers = outputs(clone(model).fit(X, y), complete)
    assert answers
    for name, answer in answers.items():
        assert len(answer) == len(complete), name
        assert answer.dtype.kind != "f" or np.isfinite(answer).all(), name


@pytest.mark.parametrize("model", [m for m in every() if m.values[0].takes_nan])
def test_missing_values_at_predict_get_an_answer(model):
    X, y = table(model)
    model = clone(model).fit(X, y)
    complete = outputs(model, X)
    X[3, 1] = np.nan
    incomplete = outputs(model, X)
    others = np.arange(len(X)) != 3
    for name, answer in incomplete.items():
        np.testing.assert_array_equal(answer[others], complete[name][others], err_msg=name)
        if name != "transform[0]" and answer.dtype.kind == "f":
            assert np.isfinite(answer[3]).all(), name


def takes_text(model):
    """Whether text is a category, by the estimator's tags or by a parameter."""
    return get_tags(model).input_tags.string or "categorical_features" in model.get_params()


@pytest.mark.parametrize("model", [m for m in every() if not takes_text(m.values[0])])
def test_text_is_refused_with_advice(model):
    X, y = table(model)
    text = X.astype(object)
    text[5, 1] = "tall"
    with pytest.raises(ValueError, match="could not convert") as error:
        clone(model).fit(text, y)
    assert "OneHotEncoder" in message(error)


@pytest.mark.parametrize("model", every())
def test_an_empty_table_is_refused(model):
    X, y = table(model)
    with pytest.raises(ValueError, match=r"0 sample\(s\)|0 feature") as error:
        clone(model).fit(X[:0], None if y is None else y[:0])
    assert type(model).__name__ in message(error)


@pytest.mark.parametrize("model", every())
def test_no_columns_are_refused(model):
    X, y = table(model)
    with pytest.raises(ValueError, match=r"0 feature\(s\)|square") as error:
        clone(model).fit(X[:, :0], y)
    assert type(model).__name__ in message(error)


@pytest.mark.filterwarnings("ignore:.*Only one sample available")
@pytest.mark.parametrize("model", every())
def test_one_row_works_or_says_what_it_needs(model):
    X, y = table(model)
    X = X[:1, :1] if is_pairwise(model) else X[:1]
    y = None if y is None else y[:1]
    model = clone(model)
    refusal, answers = "", {}
    try:
        answers = outputs(model.fit(X, y), X)
    except ValueError as error:
        refusal = str(error)
    if refusal:
        who = {type(model).__name__, type(getattr(model, "estimator", None)).__name__}
        assert any(name in refusal for name in who)
        assert re.search(r"\b(1|one)\b", refusal), "how many rows or classes were given?"
        return
    for name, answer in answers.items():
        assert len(answer) == 1, name
        assert answer.dtype.kind != "f" or np.isfinite(answer).all(), name
    if is_classifier(model) and not hasattr(model, "decide"):
        assert model.predict(X)[0] == y[0]


@pytest.mark.parametrize("model", every())
def test_another_number_of_columns_at_predict_is_refused(model):
    X, y = table(model)
    model = clone(model).fit(X, y)
    for method in methods_of(model):
        with pytest.raises(ValueError, match=f"X has {X.shape[1] - 1} features, but"):
            getattr(model, method)(X[:, :-1])


@pytest.mark.parametrize("model", first_of_each())
def test_other_names_of_columns_at_predict_are_refused(model):
    pd = pytest.importorskip("pandas")
    X, y = table(model)
    names = [f"c{i}" for i in range(X.shape[1])]
    model = clone(model).fit(pd.DataFrame(X, columns=names), y)
    frame = pd.DataFrame(X, columns=[*names[:-1], "other"])
    for method in methods_of(model):
        with pytest.raises(ValueError, match="feature names should match") as error:
            getattr(model, method)(frame)
        assert "seen in fit" in message(error)


@pytest.mark.parametrize("model", [m for m in every() if table(m.values[0])[1] is not None])
def test_y_of_another_length_is_refused(model):
    X, y = table(model)
    with pytest.raises(ValueError, match="y has 59 rows but X has 60") as error:
        clone(model).fit(X, y[:-1])
    assert type(model).__name__ in message(error)


@pytest.mark.parametrize(
    "model", [m for m in every() if has_fit_parameter(m.values[0], "sample_weight")]
)
@pytest.mark.parametrize(
    ("weights", "phrase"),
    [
        (np.r_[-1.0, np.ones(59)], "must not be negative; got -1 at row 0"),
        (np.zeros(60), "zero"),
        (np.ones(59), r"got shape \(59,\)"),
        (np.r_[np.nan, np.ones(59)], "sample_weight contains NaN"),
    ],
    ids=["negative", "all zero", "another length", "NaN"],
)
def test_bad_weights_are_refused(model, weights, phrase):
    X, y = table(model)
    with pytest.raises(ValueError, match=phrase) as error:
        clone(model).fit(X, y, sample_weight=weights)
    assert type(model).__name__ in message(error)


class Nonsense:
    """Obeys no rule."""

    def __repr__(self) -> str:
        return "<nonsense>"


@pytest.mark.parametrize("model", first_of_each())
def test_a_parameter_outside_its_rule_is_refused_before_the_data_are_looked_at(model):
    for name, rule in rules_of(type(model)).items():
        broken = clone(model).set_params(**{name: Nonsense()})
        with pytest.raises(ValueError, match=f"{name} must be") as error:
            broken.fit([["no data"]], None)
        assert message(error) == f"{type(model).__name__}: {name} must be {rule}; got <nonsense>."


@pytest.mark.parametrize("model", [m for m in every() if is_pairwise(m.values[0])])
def test_a_precomputed_matrix_must_be_square(model):
    X, y = table(model)
    with pytest.raises(ValueError, match="square") as error:
        clone(model).fit(X[:, :-1], y)
    assert type(model).__name__ in message(error)


@pytest.mark.parametrize("model", [m for m in first_of_each() if table(m.values[0])[1] is not None])
def test_a_single_number_is_no_target(model):
    X, _ = table(model)
    with pytest.raises(ValueError, match=r"\(\)|0-?d|scalar") as error:
        clone(model).fit(X, np.array(1))
    assert type(model).__name__ in message(error)


@pytest.mark.parametrize("dtype", [float, np.float32, int, bool])
@pytest.mark.parametrize("model", [m for m in first_of_each() if is_classifier(m.values[0])])
def test_one_hot_labels_are_learned_or_refused_with_advice(model, dtype):
    X, y = table(model)
    labels = (y[:, None] == np.unique(y)).astype(dtype)
    if several_outputs(model):
        assert clone(model).fit(X, labels).predict(X).shape == labels.shape
        return
    with pytest.raises(ValueError, match="argmax") as error:
        clone(model).fit(X, labels)
    assert type(model).__name__ in message(error)


def several_outputs(model):
    """Whether a classifier learns labels in several columns."""
    tags = get_tags(model)
    return tags.classifier_tags.multi_label or tags.target_tags.multi_output
