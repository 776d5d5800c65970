"""Boosting on several workers: the trees of `fit`, to the bit."""

import numpy as np
import pytest

from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor, TimeBudget
from gramian.base.errors import DataError, ParameterError
from gramian.base.rows.parts import RowsLostError
from gramian.ensemble.common import bins
from gramian.ensemble.hist_boosting import distributed_fit
from tests.scale.methods import ListParts, ObjectList, pieces

rng = np.random.default_rng(0)
N = 3000
X = rng.normal(size=(N, 5))
X[::9, 1] = np.nan
X[:, 3] = rng.integers(0, 9, size=N)
X[::11, 3] = np.nan
X[:, 4] = rng.integers(0, 400, size=N)
y = X[:, 0] + np.nan_to_num(X[:, 1]) ** 2 + np.isin(X[:, 3], [1, 4, 7])
weights = rng.integers(0, 3, size=N) * 0.37
SETTINGS = {"max_iter": 5, "early_stopping": False, "random_state": 3}
REGRESSOR, CLASSIFIER = HistGradientBoostingRegressor, HistGradientBoostingClassifier
CASES = [
    (REGRESSOR, y, {}),
    (REGRESSOR, y * 1e80, {"l2_regularization": 0.0}),
    (REGRESSOR, np.abs(y), {"loss": "poisson", "l2_regularization": 1.0}),
    (REGRESSOR, np.exp(-np.abs(y)), {"loss": "gamma", "interaction_cst": "pairwise"}),
    (CLASSIFIER, y > 1, {"max_features": 0.5}),
    (CLASSIFIER, y > 1, {"loss": "exponential", "monotonic_cst": [1, 0, 0, 0, 0]}),
    (CLASSIFIER, np.digitize(y, [0, 1]), {"max_leaf_nodes": None, "max_depth": 4}),
    (CLASSIFIER, np.where(y > 1, "b", "a"), {"class_weight": {"a": 3.0}}),
    (CLASSIFIER, np.digitize(y, [0, 1]), {"class_weight": {0: 0.0}}),
]


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("categories", [None, [3, 4]])
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case[2])) or "plain")
def test_the_trees_match_fit(case, categories, weighted):
    kind, target, more = case
    omega = weights if weighted else None
    settings = {**SETTINGS, "categorical_features": categories, **more}
    for dtype in (np.float32, np.float64):
        table = X.astype(dtype)
        whole = kind(**settings).fit(table, target, sample_weight=omega)
        for count in (1, 2, 3):
            parts = ListParts(pieces(table, target, omega, parts=count))
            model = kind(**settings).fit_chunks(parts)
            np.testing.assert_array_equal(model._scores(model._table(table)), _scores(whole, table))
            assert model.predict(table[:5]).dtype == whole.predict(table[:5]).dtype


def _scores(model, table):
    return model._scores(model._table(table))


def test_bins_come_from_the_sample_that_fit_draws(monkeypatch):
    for module in (bins, distributed_fit):
        monkeypatch.setattr(module, "QUANTILE_ROWS", 500)
    monkeypatch.setattr(bins.Bins.of.__func__, "__defaults__", (500, None))
    whole = REGRESSOR(**SETTINGS).fit(X, y, sample_weight=weights)
    parts = ListParts([*pieces(X, y, weights), (X[:0], y[:0], None)])
    model = REGRESSOR(**SETTINGS).fit_chunks(parts)
    np.testing.assert_array_equal(model.predict(X), whole.predict(X))
    assert max(len(found.X) for found, _ in parts.sent[1]) < 300


class Fragile(ObjectList):
    """Loses a worker at some call."""

    calls = 0

    def total(self, method, merge, *arguments):
        Fragile.calls += 1
        if Fragile.calls in self.fatal:
            raise RowsLostError("gone")
        return super().total(method, merge, *arguments)


@pytest.mark.parametrize("fatal", [(1,), (2, 40), (17, 18, 19)])
def test_rows_of_a_lost_worker_are_read_again(fatal, monkeypatch):
    parts = ListParts(pieces(X, y > 1))
    made = []

    def keep(step, gather):
        made.append(Fragile([gather([step([c], j, 0)]) for j, c in enumerate(parts.chunks)]))
        return made[-1]

    monkeypatch.setattr(parts, "keep_on_workers", keep)
    monkeypatch.setattr(Fragile, "calls", 0)
    monkeypatch.setattr(Fragile, "fatal", fatal, raising=False)
    model = CLASSIFIER(**SETTINGS).fit_chunks(parts)
    whole = CLASSIFIER(**SETTINGS).fit(X, y > 1)
    np.testing.assert_array_equal(model.decision_function(X), whole.decision_function(X))
    assert len(made) == len(fatal) + 1
    assert all(held.closed for held in made)
    monkeypatch.setattr(Fragile, "fatal", range(10_000))
    with pytest.raises(RowsLostError):
        CLASSIFIER(**SETTINGS).fit_chunks(parts)


def test_a_time_budget_stops_after_an_iteration():
    model = REGRESSOR(**SETTINGS).set_callbacks(TimeBudget(0.0))
    assert model.fit_chunks(ListParts(pieces(X, y))).n_iter_ == 1


def test_refusals():
    parts = ListParts(pieces(X, y))
    for bad in ({"early_stopping": True}, {"warm_start": True}, {"leaf_steps": 2}):
        with pytest.raises(ParameterError, match="neither early stopping"):
            REGRESSOR(**bad).fit_chunks(parts)
    with pytest.raises(ParameterError, match=r"loss='absolute_error' needs all rows of a leaf"):
        REGRESSOR(loss="absolute_error").fit_chunks(parts)
    with pytest.raises(DataError, match="requires y > 0"):
        REGRESSOR(loss="gamma").fit_chunks(parts)
    with pytest.raises(DataError, match="chunks must have targets"):
        REGRESSOR().fit_chunks(ListParts([(X, None, None)]))
    assert not REGRESSOR(max_iter=1).fit_chunks(parts).do_early_stopping_
