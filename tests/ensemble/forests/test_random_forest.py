"""Random forests."""

import numpy as np
import pytest

from gramian.ensemble import (
    RandomForestRegressor,
)
from gramian.tree import DecisionTreeRegressor
from tests.tree.table import interactions


def test_a_bag_holds_about_63_percent_of_the_rows() -> None:
    """T9: 1 - (1 - 1 / n)^n, about 1 - 1 / e = 63.2%."""
    X, y = interactions(2000, 6)
    model = RandomForestRegressor(20, max_depth=1, random_state=0).fit(X, y)
    samples = model.estimators_samples_
    distinct = [len(np.unique(s)) / 2000 for s in samples]
    assert np.mean(distinct) == pytest.approx(1 - (1 - 1 / 2000) ** 2000, abs=0.005)
    assert all(len(s) == 2000 for s in samples)
    roots = [tree.weight[0] for tree in (model.forest_[t] for t in range(20))]
    assert roots == [2000.0] * 20
    few = RandomForestRegressor(3, max_samples=0.25, random_state=0).fit(X, y)
    assert [len(s) for s in few.estimators_samples_] == [500] * 3


def test_a_bootstrap_sample_of_ten_rows() -> None:
    """T9: for n = 10 it is 65.1%."""
    X = np.arange(10.0)[:, None]
    model = RandomForestRegressor(4000, max_depth=0, random_state=0).fit(X, X[:, 0])
    share = np.mean([len(np.unique(s)) for s in model.estimators_samples_]) / 10
    assert share == pytest.approx(0.651, abs=0.005)


def test_the_variance_of_a_mean_of_correlated_trees() -> None:
    # r s^2 + (1 - r) s^2 / B for B trees of variance s^2 and correlation r; fewer columns, lower r.
    at = interactions(1, 6, seed=99)[0]
    correlations = []
    for max_features in (1, 6):
        trees, means = [], []
        for seed in range(60):
            X, y = interactions(150, 6, seed=seed)
            model = RandomForestRegressor(12, max_features=max_features, random_state=seed)
            forest = model.fit(X, y).forest_
            trees.append(forest.flat_values[forest.apply(at)[0] + forest.roots[:-1], 0])
            means.append(model.predict(at)[0])
        covariance = np.cov(np.array(trees).T)
        variance = np.trace(covariance) / 12
        correlation = (covariance.sum() - np.trace(covariance)) / (12 * 11) / variance
        expected = correlation * variance + (1 - correlation) * variance / 12
        assert np.var(means, ddof=1) == pytest.approx(expected)
        assert np.var(means, ddof=1) < 0.8 * variance
        correlations.append(correlation)
    assert correlations[0] < correlations[1]


@pytest.mark.parametrize("n", [3000, 70_000])
@pytest.mark.parametrize("max_depth", [7, 20])
@pytest.mark.parametrize("weighted", [False, True])
def test_all_rows_and_columns_give_the_tree_of_a_single_tree(n, max_depth, weighted) -> None:
    """Forests sort no lists of rows, a single tree does; sums of integers have no rounding."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    X[:, 1] = np.round(X[:, 1])
    y = np.round(8 * (X[:, 0] * X[:, 1] + rng.normal(size=n)))
    weights = rng.integers(0, 3, n).astype(float) if weighted else None
    forest = RandomForestRegressor(2, bootstrap=False, max_depth=max_depth, random_state=0)
    tree = DecisionTreeRegressor(max_depth=max_depth, random_state=0)
    expected = tree.fit(X, y, weights).tree_.arrays()
    for grown in forest.fit(X, y, weights).forest_:
        assert grown.node_count > 50
        for name in ("feature", "threshold", "samples", "first_child"):
            np.testing.assert_array_equal(grown.arrays()[name], expected[name], err_msg=name)
        np.testing.assert_allclose(grown.value, expected["value"], rtol=1e-9, atol=1e-12)
