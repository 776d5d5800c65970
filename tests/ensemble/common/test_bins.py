"""Binning: a table as 8-bit codes."""

from gramian import HistGradientBoostingRegressor


def test_more_categories_than_bins_are_allowed(rng):
    X = rng.integers(900, size=(5000, 1)).astype(float)
    y = (X[:, 0] % 2) + 0.01 * rng.normal(size=5000)
    model = HistGradientBoostingRegressor(categorical_features=[0], min_samples_leaf=1).fit(X, y)
    assert model.score(X, y) > 0.08
