"""Trees that add columns up take categories and missing values too."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

import gramian
from gramian import to_onnx
from gramian.base.errors import DataError
from gramian.tree import (
    ModelTreeRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
    export_text,
)

SETTINGS = {
    ObliqueTreeClassifier: {},
    ObliqueTreeRegressor: {"max_depth": 4},
    ModelTreeRegressor: {},
}


@pytest.fixture(params=SETTINGS)
def tree(request):
    return request.param(**SETTINGS[request.param])


def target(tree, X, colour=0.0):
    score = np.nan_to_num(X[:, 0]) + X[:, 1] + colour
    return (score > 0).astype(int) if isinstance(tree, ObliqueTreeClassifier) else score


def answer(model, X):
    return model.predict_proba(X)[:, 1] if hasattr(model, "classes_") else model.predict(X)


def test_a_missing_number_is_the_mean_of_its_column(tree, rng):
    X = rng.normal(size=(120, 2))
    X[::7, 0] = np.nan
    w = rng.integers(1, 3, 120)
    y = target(tree, X)
    imputer = SimpleImputer().fit(np.repeat(X, w, axis=0))
    with_gaps = tree.fit(X, y, sample_weight=w)
    filled = clone(tree).fit(imputer.transform(X), y, sample_weight=w)
    fresh = rng.normal(size=(50, 2))
    fresh[::5, 0] = np.nan
    assert_allclose(answer(with_gaps, fresh), answer(filled, imputer.transform(fresh)), atol=1e-9)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_category_is_a_column_per_level(tree, frame, rng, tmp_path):
    X = rng.normal(size=(200, 2))
    names = rng.choice(["red", "green", "blue"], 200)
    y = target(tree, X, 5.0 * (names == "red"))
    table = {"a": X[:, 0].tolist(), "b": X[:, 1].tolist(), "colour": names.tolist()}
    model = tree.fit(frame(table), y)
    encoder = OneHotEncoder(sparse_output=False, handle_unknown="ignore").fit(names[:, None])
    encoded = clone(tree).fit(np.column_stack([X, encoder.transform(names[:, None])]), y)
    fresh = np.array(["red", "violet", "green"])
    rows = frame({"a": [0.5] * 3, "b": [0.1] * 3, "colour": fresh.tolist()})
    dense = np.column_stack([np.tile([0.5, 0.1], (3, 1)), encoder.transform(fresh[:, None])])
    assert_allclose(answer(model, rows), answer(encoded, dense))
    missing = frame({"a": [0.5, 0.5], "b": [0.1, 0.1], "colour": [None, "violet"]})
    assert np.ptp(answer(model, missing)) == 0  # both are none of the levels
    loaded = gramian.load(gramian.save(model, tmp_path / "tree.gram"))
    assert_allclose(answer(loaded, rows), answer(model, rows))
    assert "[colour = red]" in export_text(model)
    with pytest.raises(DataError, match="categories of a"):
        to_onnx(model)


def test_columns_with_only_missing_values(tree, rng):
    X = np.column_stack([rng.normal(size=(60, 2)), np.full(60, np.nan)])
    y = target(tree, X)
    assert tree.fit(X, y).score(X, y) > 0.9
    names = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": pd.Series([None] * 60, dtype="string")})
    assert tree.fit(names, y).score(names, y) > 0.9
