"""What every tree of axis-parallel splits offers."""

import pickle

import numpy as np
import pytest

import gramian
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tests.tree.table import interactions


def test_files_and_pickles_predict_the_same(tmp_path) -> None:
    X = np.array([["a", 1.0], ["b", 2.0], ["c", np.nan], ["b", 4.0]], dtype=object)
    y = [0.0, 1.0, 2.0, 3.0]
    model = DecisionTreeRegressor().fit(X, y)
    loaded = gramian.load(gramian.save(model, tmp_path / "tree.gram"))
    copied = pickle.loads(pickle.dumps(model))
    for other in (loaded, copied):
        assert other.predict(X).tolist() == model.predict(X).tolist() == y


def test_one_row_skips_most_checks_and_agrees() -> None:
    X, y = interactions(500, 6)
    model = DecisionTreeClassifier().fit(X, y > 0)
    whole = model.predict_proba(np.vstack([X, X]))  # more rows than the short way takes
    for i in range(20):
        np.testing.assert_array_equal(model.predict_proba(X[i : i + 1])[0], whole[i])
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:1, :3])
    with pytest.raises(ValueError, match="inf"):
        model.predict(np.full((1, 6), np.inf))
