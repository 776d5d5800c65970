"""Boosting from chunks: the trees of `fit`, to the bit."""

import numpy as np
import pytest

from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from gramian.base.errors import DataError, ParameterError
from gramian.ensemble.common import bins
from gramian.ensemble.hist_boosting import chunked_fit
from tests.scale.methods import pieces

rng = np.random.default_rng(0)
X = rng.normal(size=(18_000, 3))
X[::9, 1] = np.nan
y = X[:, 0] + np.nan_to_num(X[:, 1]) ** 2
weights = rng.integers(0, 3, size=len(X)).astype(float)
CLASSES = {2: y > 1, 3: np.digitize(y, [0, 1])}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("model", "target"),
    [
        (HistGradientBoostingRegressor, y),
        (HistGradientBoostingClassifier, CLASSES[2]),
        (HistGradientBoostingClassifier, CLASSES[3]),
    ],
)
def test_the_trees_match_fit(model, target, dtype, weighted, monkeypatch):
    table, omega = X.astype(dtype), weights if weighted else None
    for module in (bins, chunked_fit):
        monkeypatch.setattr(module, "QUANTILE_ROWS", 2000)
    monkeypatch.setattr(bins.Bins.of.__func__, "__defaults__", (2000, None))
    settings = {"max_iter": 6, "random_state": 3}
    whole = model(**settings).fit(table, target, sample_weight=omega)
    parts = model(**settings).fit_chunks(pieces(table, target, omega))
    assert parts.do_early_stopping_
    np.testing.assert_array_equal(parts.validation_score_, whole.validation_score_)
    np.testing.assert_array_equal(parts._scores(table), whole._scores(table))


def test_without_early_stopping_and_for_few_rows():
    settings = {"max_iter": 4, "early_stopping": False}
    whole = HistGradientBoostingRegressor(**settings).fit(X[:900], y[:900])
    parts = HistGradientBoostingRegressor(**settings).fit_chunks(pieces(X[:900], y[:900]))
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))


@pytest.mark.parametrize("stops", [False, True])
def test_categories_are_columns_of_numbers(stops):
    few = np.column_stack([X[:4000, 0], rng.integers(0, 400, size=4000), X[:4000, 1]])
    few[::5, 1] = np.nan
    target = few[:, 0] + np.isin(few[:, 1] % 7, [1, 4])
    settings = {"max_iter": 4, "early_stopping": stops, "categorical_features": [1]}
    whole = HistGradientBoostingRegressor(random_state=0, **settings).fit(few, target)
    model = HistGradientBoostingRegressor(random_state=0, **settings)
    model.fit_chunks(pieces(few, target))
    np.testing.assert_array_equal(model.is_categorical_, [False, True, False])
    np.testing.assert_array_equal(model.predict(few), whole.predict(few))


def test_refusals():
    model = HistGradientBoostingRegressor
    with pytest.raises(DataError, match="requires y to be passed"):
        model().fit_chunks([X])
    with pytest.raises(ParameterError, match="scoring other than 'loss'"):
        model(scoring="r2").fit_chunks([(X, y)])
