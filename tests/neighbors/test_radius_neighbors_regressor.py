"""Means of the neighbours within a radius, and queries without neighbours."""

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose

from gramian.neighbors import RadiusNeighborsRegressor


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("outputs", [1, 2])
def test_means_equal_scikit_learns(weights, outputs, table):
    X, _, z, Q = table
    targets = z if outputs == 1 else np.column_stack([z, -2 * z])
    ours, peer = (
        model(radius=5.0, weights=weights).fit(X, targets)
        for model in (RadiusNeighborsRegressor, theirs.RadiusNeighborsRegressor)
    )
    assert_allclose(ours.predict(Q), peer.predict(Q))


def test_a_kernel_of_the_distance_gives_nadaraya_watson(table):
    X, _, z, Q = table
    model = RadiusNeighborsRegressor(radius=2.5, weights=lambda d: 1 - (d / 2.5) ** 2).fit(X, z)
    kernel = np.maximum(1 - (np.linalg.norm(Q[:, None] - X, axis=2) / 2.5) ** 2, 0)
    assert (kernel.sum(axis=1) > 0).all()
    assert_allclose(model.predict(Q), kernel @ z / kernel.sum(axis=1))


def test_a_query_without_neighbours_is_predicted_as_nan(table):
    X, _, z, _ = table
    model = RadiusNeighborsRegressor(radius=1.0).fit(X, z)
    with pytest.warns(UserWarning, match="predicting NaN"):
        assert np.isnan(model.predict([[50.0, 0, 0, 0]])[0])


def test_weights_that_sum_to_zero_are_refused_and_queries_without_neighbours_ask_no_weight():
    X, y = np.array([[0.0], [1.0], [5.0]]), [1.0, 2.0, 3.0]
    for query, weights in ((1, lambda d: d), (0, np.zeros_like)):
        model = RadiusNeighborsRegressor(radius=1.5, weights=weights).fit(X, y)
        with pytest.raises(ValueError, match=f"RadiusNeighborsRegressor: .*zero weights.*{query}"):
            model.predict([[0.4], [5.0]])
    model = RadiusNeighborsRegressor(radius=1.5, weights=lambda d: d / d.max()).fit(X, y)
    with pytest.warns(UserWarning, match="no neighbors"):
        found = model.predict([[0.25], [50.0]])
    assert_allclose(found, [1.75, np.nan])


@pytest.mark.parametrize("factor", [1e-320, 1e308])
def test_weights_of_any_size_give_the_same_means(factor):
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0, -3.0], [2.0, 0.0], [3.0, 5.0]])
    model = RadiusNeighborsRegressor(radius=5, weights=lambda d: factor * np.ones_like(d))
    assert_allclose(model.fit(X, y).predict([[0.5]]), y.mean(axis=0, keepdims=True))
    tiny = RadiusNeighborsRegressor(radius=5, weights="distance").fit(X * 1e-308, y)
    assert np.isfinite(tiny.predict([[1e-308 / 2]])).all()
