"""Regression trees: scikit-learn's trees, and targets of any size."""

import numpy as np
import pytest
import sklearn.tree

from gramian.tree import DecisionTreeRegressor
from tests.tree.table import interactions


@pytest.mark.parametrize(
    "settings",
    [
        {"max_depth": 6},
        {"min_samples_leaf": 5},
        {"max_leaf_nodes": 40},
        {"criterion": "absolute_error", "max_depth": 4},
        {"criterion": "poisson", "max_depth": 5},
    ],
)
def test_the_tree_of_scikit_learn_for_regression(settings) -> None:
    X, y = interactions(1500, 8)
    if settings.get("criterion") == "poisson":
        y = np.exp(y / 2)
    ours = DecisionTreeRegressor(**settings).fit(X, y)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **settings).fit(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    if "min_samples_leaf" in settings:  # few rows are divided alike by several columns
        np.testing.assert_allclose(
            ours.feature_importances_, theirs.feature_importances_, rtol=1e-6, atol=1e-12
        )


def test_many_levels_for_regression() -> None:
    rng = np.random.default_rng(0)
    code = rng.integers(0, 300, 4000)
    effect = rng.standard_normal(300)
    model = DecisionTreeRegressor(categorical_features=[0], max_depth=3)
    model.fit(code[:, None], effect[code])
    assert model.score(code[:, None], effect[code]) > 0.9
    plain = DecisionTreeRegressor(max_depth=3).fit(code[:, None], effect[code])
    assert plain.score(code[:, None], effect[code]) < 0.5


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e150, 1e300])
def test_targets_of_any_size(scale) -> None:
    X, y = interactions(300, 6)
    base = DecisionTreeRegressor(max_depth=5).fit(X, y).predict(X)
    scaled = DecisionTreeRegressor(max_depth=5).fit(X, y * scale).predict(X)
    np.testing.assert_allclose(scaled, base * scale, rtol=1e-9)


def test_targets_far_from_zero_keep_their_digits() -> None:
    X, y = interactions(300, 6)
    near = DecisionTreeRegressor(max_depth=5).fit(X, y)
    far = DecisionTreeRegressor(max_depth=5).fit(X, y + 2.0**30)
    np.testing.assert_array_equal(near.apply(X), far.apply(X))


def test_a_split_by_worst_error_has_the_least_of_all_cuts() -> None:
    rng = np.random.default_rng(0)
    x, y = np.arange(30.0), rng.normal(size=30).cumsum()
    half_ranges = [max(np.ptp(y[:cut]), np.ptp(y[cut:])) / 2 for cut in range(1, 30)]
    stump = DecisionTreeRegressor(criterion="worst_error", max_depth=1).fit(x[:, None], y)
    assert np.abs(y - stump.predict(x[:, None])).max() == pytest.approx(min(half_ranges))
