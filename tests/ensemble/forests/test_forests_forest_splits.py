"""The fast split searches of forests (buckets, small nodes) against the sorted lists of one tree.

Copies of one column give the same split whichever of them is drawn, so a forest that considers few
columns must grow the same tree as on one column, which is grown from sorted lists.
"""

import numpy as np
import pytest

from gramian.ensemble import RandomForestClassifier, RandomForestRegressor
from gramian.tree import DecisionTreeClassifier, DecisionTreeRegressor

COPIES = 5


def column(n, values, dtype=np.float64):
    """Integers below `values`, so that ties are many or few; sums of the targets are exact."""
    return np.random.default_rng(n + values).integers(values, size=n).astype(dtype)


def targets(x, kind):
    rng = np.random.default_rng(len(x))
    wave = np.sin(x / (x.max() + 1) * 9)
    if kind == "classes":
        return (wave + rng.standard_normal(len(x)) > 0).astype(int)
    return np.round(8 * (wave + rng.standard_normal(len(x)))) / 8


def grown(kind, x, y, weights=None, **settings):
    """Return the forest's only tree, and the tree grown on one column."""
    many, one = {
        "classes": (RandomForestClassifier, DecisionTreeClassifier),
        "numbers": (RandomForestRegressor, DecisionTreeRegressor),
    }[kind]
    forest = many(1, max_features=1, bootstrap=False, random_state=0, **settings)
    forest.fit(np.tile(x[:, None], COPIES), y, weights)
    return forest.forest_[0], one(**settings).fit(x[:, None], y, weights).tree_


def assert_same(mine, other):
    for name in ("first_child", "threshold", "samples", "weight", "impurity", "value", "missing"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize(
    ("n", "values"),
    [(3, 3), (9, 4), (60, 1000), (200, 30), (3000, 40), (5000, 10**6), (70_000, 999)],
)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"min_samples_leaf": 3},
        {"max_depth": 4},
        {"min_impurity_decrease": 1e-4},
        {"min_weight_fraction_leaf": 0.01},
    ],
    ids=lambda s: "-".join(s) or "plain",
)
def test_splits_with_few_features_equal_exact_splits(kind, n, values, settings):
    x = column(n, values)
    assert_same(*grown(kind, x, targets(x, kind), **settings))


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_weighted_splits_equal_exact_splits(kind):
    x = column(4000, 10**5, np.float32)
    weights = np.random.default_rng(1).integers(0, 4, size=len(x)).astype(float)
    assert_same(*grown(kind, x, targets(x, kind), weights))


def test_values_far_apart_and_equal_targets():
    x = np.concatenate([np.full(600, -1e300), np.arange(600.0), np.full(600, 1e300)])
    y = np.repeat([3.0, 1.0, 3.0], 600)
    mine, other = grown("numbers", x, y)
    assert_same(mine, other)
    assert mine.node_count == 5


@pytest.mark.parametrize("rows", [5, 600, 20_000])
def test_float32_rows_reach_the_same_leaves(rows):
    rng = np.random.default_rng(rows)
    X = rng.integers(0, 50, size=(2000, 6)).astype(np.float32) / np.float32(3)
    y = rng.standard_normal(2000)
    model = RandomForestRegressor(7, random_state=0).fit(X.astype(np.float64), y)
    thresholds = model.forest_.nodes["threshold"]
    new = rng.choice(thresholds[np.isfinite(thresholds)], size=(rows, 6)).astype(np.float32)
    new[0, 0], new[-1, 1] = np.float32(3e38), np.float32(-3e38)
    np.testing.assert_array_equal(model.apply(new), model.apply(new.astype(np.float64)))
    np.testing.assert_array_equal(model.predict(new), model.predict(new.astype(np.float64)))
