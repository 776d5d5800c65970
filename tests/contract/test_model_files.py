"""Pickle and model files give back a model with the same outputs."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import Pipeline

import gramian
from tests.contract.estimators import assert_same_outputs, every, first_of_each, outputs, table


@pytest.mark.parametrize("model", every())
def test_pickle_gives_back_the_same_outputs(model):
    X, y = table(model)
    model = clone(model).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert_same_outputs(outputs(model, X), outputs(copy, X))


@pytest.mark.parametrize("model", every())
def test_save_and_load_give_back_the_same_outputs_and_attributes(model, tmp_path):
    X, y = table(model)
    model = clone(model).fit(X, y)
    if any(callable(v) for v in model.get_params(deep=False).values()):
        with pytest.raises(gramian.base.errors.ModelFileError, match="cannot store"):
            gramian.save(model, tmp_path / "model.gram")
        return
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    assert type(copy) is type(model)
    assert_same_outputs(outputs(model, X), outputs(copy, X))
    assert {k: type(v) for k, v in vars(copy).items()} == {
        k: type(v) for k, v in vars(model).items()
    }


@pytest.mark.parametrize("model", first_of_each())
def test_an_unfitted_model_can_be_saved(model, tmp_path):
    copy = gramian.load(gramian.save(clone(model), tmp_path / "model.gram"))
    assert copy.get_params().keys() == model.get_params().keys()
    assert repr(copy) == repr(model)


@pytest.mark.parametrize("model", first_of_each())
def test_a_pipeline_can_be_saved(model, tmp_path):
    X, y = table(model)
    pipeline = Pipeline([("model", clone(model))]).fit(X, y)
    copy = gramian.load(gramian.save(pipeline, tmp_path / "model.gram"))
    assert_same_outputs(outputs(pipeline[-1], X), outputs(copy[-1], X))


@pytest.mark.parametrize("model", first_of_each())
def test_feature_names_survive(model, tmp_path):
    pd = pytest.importorskip("pandas")
    X, y = table(model)
    names = [f"column {i}" for i in range(X.shape[1])]
    model = clone(model).fit(pd.DataFrame(X, columns=names), y)
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    np.testing.assert_array_equal(copy.feature_names_in_, names)
