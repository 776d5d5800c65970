"""Boosting iterations over several workers."""

import numpy as np
import pytest

from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from tests.scale.methods import ListParts, pieces

rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 4))
y = np.digitize(X[:, 0] + X[:, 1] ** 2, [0, 1])


def fit_and_record(model, X, y):
    """Fit to parts; return what the workers sent."""
    parts, held = ListParts(pieces(X, y)), []
    keep = parts.keep_on_workers
    parts.keep_on_workers = lambda *arguments: held.append(keep(*arguments)) or held[-1]
    model.fit_chunks(parts)
    return held[0].sent


def test_only_histograms_and_sums_are_sent():
    model = HistGradientBoostingClassifier(max_iter=2, early_stopping=False)
    sent = fit_and_record(model, X, y)
    bins = 3 * 8 * 256 * 8  # bytes of a histogram of at most eight columns
    for method, found in sent:
        most = {"start_tree": bins, "split_leaves": 30 * bins, "leaf_sums": 200 * 6 * 8}.get(
            method, 1000
        )
        assert all(np.asarray(each).nbytes <= most for each in found if each is not None)
    trees = 2 * 3
    splits = sum(int((tree.kind != 0).sum()) for it in model.predictors_ for tree in it)
    # several leaves at a time: about as many messages as a tree has levels
    assert sum(method == "split_leaves" for method, _ in sent) < splits / 2
    counted = sum(len(found[0]) for method, found in sent if method == "split_leaves")
    assert counted < 2 * splits
    assert sum(method == "start_tree" for method, _ in sent) == trees


@pytest.mark.parametrize("leaves", [2, 3, 4, 5, 6, 7, 9, 12])
def test_leaves_of_equal_gain_are_split_in_the_order_of_fit(leaves):
    # four quarters with the same rows: gains come in twos and fours
    quarter = rng.integers(0, 8, size=(60, 1)).astype(float)
    rows = np.vstack([np.hstack([quarter, np.full((60, 1), k)]) for k in range(4)])
    target = np.sin(rows[:, 0]) + 10 * np.isin(rows[:, 1], [1, 3]) + (rows[:, 1] >= 2)
    settings = {"max_iter": 2, "max_leaf_nodes": leaves, "min_samples_leaf": 1}
    model = HistGradientBoostingRegressor(**settings, early_stopping=False)
    whole = model.fit(rows, target).predict(rows)
    fit_and_record(model, rows, target)
    np.testing.assert_array_equal(model.predict(rows), whole)


@pytest.mark.parametrize(
    "settings",
    [
        {"max_features": 0.5},
        {"max_leaf_nodes": None, "max_depth": 4},
        {"monotonic_cst": [1, 0, -1, 0]},
        {"interaction_cst": [{0, 1}, {2, 3}]},
    ],
    ids=lambda value: next(iter(value)),
)
def test_lookahead_grows_the_trees_of_fit(settings):
    model = HistGradientBoostingRegressor(
        max_iter=3, early_stopping=False, random_state=1, **settings
    )
    target = X[:, 0] + X[:, 1] * X[:, 2]
    whole = model.fit(X, target).predict(X)
    fit_and_record(model, X, target)
    np.testing.assert_array_equal(model.predict(X), whole)


def test_exact_sums_are_requested_only_if_they_matter():
    model = HistGradientBoostingRegressor(loss="poisson", max_iter=2, early_stopping=False)
    asked = []
    for largest in (1.0, 1e4):  # one count far above the others needs other units
        counts = (X[:, 0] > 0).astype(float)
        counts[5] = largest
        whole = model.fit(X, counts).predict(X)
        asked.append(any(method == "size_sums" for method, _ in fit_and_record(model, X, counts)))
        np.testing.assert_array_equal(model.predict(X), whole)
    assert asked == [False, True]
